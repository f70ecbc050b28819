// Extracts the words from the pictures of the README, for a check that the pictures are current.
import { crc32 } from 'node:zlib';

const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/**
 * Returns the words of an HTML page or an SVG, without its style sheet. Drops agent ids and times, because they differ
 * from run to run.
 */
export function wordsOfMarkup(markup) {
  const text = markup
    .replace(/<style>[^<]*<\/style>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]);
  return wordsOfText(text);
}

/**
 * Returns the words of a plan in text form. Removes the brackets around changed words, because pictures color these
 * words instead.
 */
export function wordsOfText(text) {
  return text
    .replace(/\[-|-\]|\{\+|\+\}/g, '')
    .replace(/camp_[0-9a-f]+/g, 'camp_ID')
    .replace(/sha256:[0-9a-f]+/g, 'sha256:ID')
    .replace(/\s+/g, '')
    .replace(/\d{1,2}[A-Z][a-z]{2}\d{4}(?:,\d\d:\d\dUTC)?/g, 'TIME');
}

const keyword = 'Description';
const signatureBytes = 8;

/** Stores a text in the file of a picture. */
export function withDescription(png, text) {
  const data = Buffer.concat([Buffer.from(`iTXt${keyword}\0\0\0\0\0`, 'latin1'), Buffer.from(text, 'utf8')]);
  const chunk = Buffer.alloc(data.length + 8);
  chunk.writeUInt32BE(data.length - 4, 0);
  data.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(data), data.length + 4);
  // The text begins after the signature and the header chunk of 25 bytes.
  const start = signatureBytes + 25;
  return Buffer.concat([png.subarray(0, start), chunk, png.subarray(start)]);
}

/** Returns the text that is stored in the file of a picture, or undefined if there is no text. */
export function descriptionOf(png) {
  for (let at = signatureBytes; at < png.length; at += png.readUInt32BE(at) + 12) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    const isOurs =
      png.toString('latin1', at + 4, at + 8) === 'iTXt' && data.toString('latin1').startsWith(`${keyword}\0`);
    if (isOurs) return data.toString('utf8', keyword.length + 5);
  }
  return undefined;
}
