/** Why the gate's own keys cannot be used. Without them nothing is signed, so nothing is permitted. */
export interface KeyError {
  readonly code:
    | "keys.unreadable"
    | "keys.unwritable"
    | "keys.not_a_file"
    | "keys.loose_permissions"
    | "keys.other_owner"
    | "keys.malformed"
    | "keys.none_in_force"
    | "keys.changed";
  /** One lower-case sentence with the way out. Never holds a key. */
  readonly message: string;
  readonly path: string;
  readonly expected?: string;
}
