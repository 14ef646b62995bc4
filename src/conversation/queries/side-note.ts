/** A side question with its answer as text, for the agent that was not asked. It goes before the next prompt. */

const OPENING = '<side-question>'
const CLOSING = '</side-question>'

export function sideNote(question: string, answer: string): string {
  const said = `I asked another agent this on the side. It could only read.\n\n${question}\n\nIts answer:\n\n${answer}`
  return `${OPENING}\n${said.replaceAll(/<(\/?)side-question>/gi, '<$1side_question>')}\n${CLOSING}\n`
}

/** Whether a text before a prompt is such a note. */
export function isSideNote(text: string): boolean {
  return text.startsWith(`${OPENING}\n`)
}
