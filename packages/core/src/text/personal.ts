const EMAIL = /[\p{L}\p{N}._%+'-]{1,64}(?:@|%40)[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/giu;
/** International form: what has no country in front of it is any number. */
const PHONE = /(?<![\p{L}\p{N}])(?:\+|%2B)\d(?:[ ().-]{0,2}\d){7,14}(?!\d)/giu;
const CARD = /(?<![\p{L}\p{N}.-])\d(?:[ -]?\d){12,18}(?![\p{L}\p{N}]|[.-]\d)/gu;
const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![\p{L}\p{N}])/giu;

/**
 * The text with `[redacted kind]` in the place of what names a person or their account by its form alone: addresses of
 * mail, telephone numbers in international form, numbers of payment cards and IBANs whose check digits are right. Names
 * have no form, and are not found.
 */
export function withoutPersonal(text: string): string {
  return text
    .replace(EMAIL, "[redacted email]")
    .replace(IBAN, (found) => (isIban(found) ? "[redacted iban]" : found))
    .replace(CARD, (found) => (isCard(found) ? "[redacted card]" : found))
    .replace(PHONE, "[redacted phone]");
}

/** ISO/IEC 7812: the check digit of Luhn. */
function isCard(text: string): boolean {
  const digits = [...text.replace(/[ -]/g, "")].reverse().map(Number);
  const sum = digits.reduce((all, digit, i) => all + (i % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit), 0);
  return sum > 0 && sum % 10 === 0;
}

/** ISO 13616: the number that it spells leaves 1 when it is divided by 97. */
function isIban(text: string): boolean {
  const compact = text.replaceAll(" ", "").toUpperCase();
  if (compact.length > 34) return false;
  const spelled = (compact.slice(4) + compact.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return [...spelled].reduce((rest, digit) => (10 * rest + Number(digit)) % 97, 0) === 1;
}
