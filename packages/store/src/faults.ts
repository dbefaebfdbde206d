/** The steps of a commit between which a process can die. */
export const FAULT_POINTS = [
  "received",
  "begun",
  "locked",
  "loaded",
  "judged",
  "written",
  "committed",
  "answered",
] as const;

export type FaultPoint = (typeof FAULT_POINTS)[number];

/** For tests of what a crash leaves: at the n-th time that a point is reached, the process is killed or the step fails. */
export interface Fault {
  readonly point: FaultPoint;
  readonly nth: number;
  readonly how: "kill" | "throw";
}

export type Reached = (point: FaultPoint) => void;

export class InjectedFault extends Error {
  override readonly name = "InjectedFault";
}

/** Tells when a point is reached; nothing happens there without a fault. */
export function faultAt(fault: Fault | undefined): Reached {
  if (fault === undefined) return () => {};
  let times = 0;
  return (point) => {
    if (point !== fault.point) return;
    times += 1;
    if (times !== fault.nth) return;
    if (fault.how === "kill") process.kill(process.pid, "SIGKILL");
    throw new InjectedFault(`a fault was injected at ${point}`);
  };
}
