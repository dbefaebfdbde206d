export interface CheckOptions {
  readonly policy?: string;
  readonly dialect?: string;
  readonly mandate?: string;
  readonly now?: string;
  readonly json?: boolean;
}
