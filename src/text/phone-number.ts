/** The known facts about the numbers of all countries. */
export interface PhoneNumbers {
  /** Whether a text is a phone number in E.164 form. */
  readonly isE164: (text: string) => boolean;
  /** The E.164 number of a text that shows its country; undefined for one in that form. */
  readonly meantBy: (text: string) => string | undefined;
}

/** The library is only loaded where there are numbers. */
export async function loadPhoneNumbers(): Promise<PhoneNumbers> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const e164Of = (text: string) => {
    const number = parsePhoneNumberFromString(text);
    // Possible, not assigned: which ranges are assigned changes faster than any list.
    return number?.isPossible() === true ? number.number : undefined;
  };
  const isE164 = (text: string) => e164Of(text) === text;
  const meantBy = (text: string) => {
    const international = internationalNumber(text);
    const number = international === undefined ? undefined : e164Of(international);
    return number === text ? undefined : number;
  };
  return { isE164, meantBy };
}

const longest = 60;

/**
 * The digits after a plus sign, or after the 00 that means it in most countries. Without either, the first digits may
 * be an area code, and the number a different one. Spreadsheets keep a number as text by `'+1...` or `="+1..."`.
 */
function internationalNumber(text: string): string | undefined {
  if (text.length > longest) return undefined;
  const bare = text
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '');
  const compact = bare.replace(/\(0\)|[\s().-]/g, '').replace(/^00/, '+');
  return /^\+\d+$/.test(compact) ? compact : undefined;
}
