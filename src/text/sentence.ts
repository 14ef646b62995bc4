/** Begins with a capital and ends with a stop; a program's name keeps its own spelling. */
export function sentence(text: string): string {
  if (text === '') return ''
  const begun = /^[a-z]+\b/.exec(text)?.[0] === 'zot' ? text : text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?)]$/.test(begun) ? begun : `${begun}.`
}
