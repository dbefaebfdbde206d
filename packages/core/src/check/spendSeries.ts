import type { Ask } from "../action/action.ts";
import { partyKey } from "../action/partyKey.ts";
import type { Budget, Scope } from "../policy/effective.ts";

/**
 * What money counts towards, as the ledger names it: an agent, each of its teams, its organisation, and with each of
 * them the tool and the counterparty. A payment counts in all of them, whether or not a budget looks at one today, so
 * that a budget written tomorrow knows what was spent before it.
 */
export function spendSeries({ asker, action }: Ask): readonly string[] {
  const holders = [agentSeries(asker.agent), ...asker.teams.map(teamSeries), orgSeries(asker.tenant)];
  const within = [toolSeries(action?.verb), counterpartySeries(action?.counterparty)].filter(
    (one) => one !== undefined,
  );
  return holders.flatMap((holder) => [holder, ...within.map((one) => `${holder}/${one}`)]);
}

/**
 * The series that a budget of `scope` looks at. Platform and organisation count the whole organisation, a team only
 * what its members spend, an agent only its own. Empty when the ask does not name what the budget is by.
 */
export function seriesOfBudget(per: Budget["per"], scope: Scope, { asker, action }: Ask): readonly string[] {
  const team = scope.startsWith("team:") ? scope.slice("team:".length) : undefined;
  switch (per) {
    case "agent":
      return [agentSeries(asker.agent)];
    case "team":
      return (team === undefined ? asker.teams : [team]).map(teamSeries);
    case "org":
      return [orgSeries(asker.tenant)];
    case "tool":
    case "counterparty": {
      const holder = scope.startsWith("agent:")
        ? agentSeries(asker.agent)
        : team === undefined
          ? orgSeries(asker.tenant)
          : teamSeries(team);
      const one = per === "tool" ? toolSeries(action?.verb) : counterpartySeries(action?.counterparty);
      return one === undefined ? [] : [`${holder}/${one}`];
    }
  }
}

const agentSeries = (id: string): string => `agent:${encodeURIComponent(id)}`;
const teamSeries = (id: string): string => `team:${encodeURIComponent(id)}`;
const orgSeries = (id: string): string => `org:${encodeURIComponent(id)}`;

const toolSeries = (verb: string | undefined): string | undefined =>
  verb === undefined ? undefined : `tool:${encodeURIComponent(verb)}`;

const counterpartySeries = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : `counterparty:${encodeURIComponent(partyKey(name))}`;
