/** The text that the model gets when the user refuses a call, and what the user said in it. */

const REFUSED = 'Not run: the user refused this call.'
const SAID = `${REFUSED} They say: `

export function refusal(said: string): string {
  return said === '' ? REFUSED : `${SAID}${said}`
}

/** The words of whoever refused the call, in the text that the model got; '' if all of it is zotui's own. */
export function saidIn(text: string): string {
  if (text.startsWith(SAID)) return text.slice(SAID.length)
  return text.startsWith('Not run: ') ? '' : text
}
