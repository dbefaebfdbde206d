/** Words with at most three digits behind each. Keys of services and hashes mix digits and letters; those do not fit. */
const words = /^_{0,2}(?:[A-Za-z]+\d{0,3}|\d{1,3})(?:[-_. ]+(?:[A-Za-z]+\d{0,3}|\d{1,3}))*_{0,2}$/;

/**
 * A member name of the sender's, fit to stand in an answer: as it is when it reads like a name, else `*`. A key can hold
 * a secret as well as a value can, and whatever an attacker wrote.
 */
export const shownKey = (key: string): string => (key.length <= 40 && words.test(key) ? key : "*");
