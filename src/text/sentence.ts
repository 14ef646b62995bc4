/** Gives a text a capital at its beginning and a stop at its end; a name (zot, a path, a key) keeps its spelling. */
export function sentence(text: string): string {
  if (text === '') return ''
  const isWord = /^[a-z]+(?:[-'’][a-z]+)*[,:;]?(?:\s|$)/.test(text) && !/^zot\b/.test(text)
  const begun = isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text
  return /[.!?)…]$/.test(begun) ? begun : `${begun}.`
}
