// clients: what the clients of models say and want to hear, in one vocabulary.
// Owns: a client's call → our acts (model/tool-call.ts), our verdict → its answer; of live sessions a hook's payload → our event
//   (model/live-session.ts), our reply → its answer (hook-clients.ts), and what is known of hooks (hooks.ts, hook-limits.ts). One
//   folder for each client.
// Never: starts a client, judges a call, reads a file.
//
// K1. Every path in a call is asked about, whichever field it stands in (call-paths.ts), and every path that a glob can
//     reach (glob-reach.ts) or a patch names (codex/patch.ts).
// K2. What cannot be read, though the client may make something of it, is said to be unreadable, and is denied.
// K3. No answer is one that its client would ignore (spoken.ts, each client's answer.ts and answer-hook.ts): a denial always
//     has a reason in words, is one line of strict JSON without a field that the client does not know, and is no longer than it
//     reads.

/** What a hook prints, and how it ends. */
export interface ClientAnswer {
  stdout?: string;
  stderr?: string;
  exitCode?: number;
}
