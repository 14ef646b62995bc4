/** File names as the most forgiving file systems compare them. */

/** Characters that HFS+ leaves out of a comparison, and others that nobody sees. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
const PLAIN = /^[\u0020-\u007e]*$/

/**
 * The form that all spellings of a name share which some file system takes for the same file: upper and lower case, composed and
 * decomposed letters, ligatures, characters without a width. It goes too far rather than not far enough, and is only to be
 * compared, never opened.
 */
export function foldedName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase()
  // Upper case first: it also folds letters such as the long s and the ligature fi.
  return name.replaceAll(IGNORED, '').normalize('NFD').toUpperCase().toLowerCase().normalize('NFC')
}
