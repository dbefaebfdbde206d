/**
 * The meanings that rules and the model speak of. A lexicon gives each its words, language by language; the rules never name a word, so that
 * one rule holds for every language that has the words.
 */
export const CONCEPTS = [
  "override", // ignore, disregard, forget
  "bypass", // bypass, disable, circumvent
  "stop", // stop, cease, no longer
  "prior", // previous, above, earlier
  "all", // all, any, every
  "rules", // instructions, prompt, guidelines
  "safety", // filter, restrictions, content policy
  "system", // system prompt, developer message
  "reveal", // reveal, show, disclose
  "say", // say, write, respond
  "secret", // password, api key, confidential
  "ai", // assistant, language model
  "persona", // act as, pretend to be, you are now
  "unbound", // unrestricted, jailbroken, no limits
  "covert", // secretly, do not mention
  "user", // the user, the reader
  "urgent", // important, urgent, attention
  "must", // must, have to, required
  "act", // send, forward, transfer, delete
  "exec", // execute, run, comply, obey
  "task", // task, job, request, question
  "fresh", // new instructions, updated task
  "pointed", // these instructions, the following task
  "following", // following, below, next
  "instead", // instead, rather than
  "only", // only, nothing else, exactly
  "before", // before, prior to, first
  "after", // after, once, afterwards
  "you",
  "your",
  "me",
  "please",
  "not",
  "now", // now, from now on
  "response", // response, answer, output
  "attach", // include, append, start your answer with
  "tool", // tool, function, plugin
  "sensitive", // ~/.ssh, /etc/passwd, .env
  "authority", // admin, developer, authorised
  "completed", // task complete, final answer
  "taunt", // pwned, hacked
  "fiction", // imagine, hypothetical, story
  "reading", // if you are reading this
  "lesson", // for example, attackers, vulnerability
  "lure", // click, visit, log in at
  "money", // transfer funds, bitcoin, account
  "transform", // translate, encode, summarise
  "hidden", // hidden, invisible
  "debug", // test, maintenance, audit mode
  "link", // link, website, page
  "mail", // email, message, mail
  "mode", // mode
  "content", // document, text, page, conversation
  "said", // told, said, given
  "the",
  "this",
  "if",
  "to",
  "and",
  "with",
  "want", // want, need, would like
  "can",
  "will",
  "be",
  "we",
  "ask", // what, who, which, how
  "end", // end of, stop here
  "record", // data, record, file, account details
  "help", // help, thanks, hello
] as const;

export type Concept = (typeof CONCEPTS)[number];

/**
 * The words of one language: comma-separated, `*` at the end for "and whatever follows in this word". Words are folded before use, so case
 * and accents do not matter.
 */
export type Lexicon = { readonly [concept in Concept]?: string };
