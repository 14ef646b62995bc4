/** The text that the model gets when the user refuses a call, and what the user said in it. */

const REFUSED = 'Not run: the user refused this call.'
const SAID = `${REFUSED} They say: `

export function refusal(said: string): string {
  return said === '' ? REFUSED : `${SAID}${said}`
}

/** The user's own words in such a text; '' for none. Another text is taken for their words. */
export function saidIn(text: string): string {
  if (text === REFUSED) return ''
  return text.startsWith(SAID) ? text.slice(SAID.length) : text
}
