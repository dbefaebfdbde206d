const ADDRESS = /^(?:eip155:[0-9]+:)?0x[0-9a-fA-F]{40}$/;

/**
 * The spelling under which a counterparty is compared. EVM addresses are bytes, and the case of their hex
 * digits is only a checksum; everything else compares as it is written.
 */
export const partyKey = (text: string): string => (ADDRESS.test(text) ? text.toLowerCase() : text);
