/** The text that a hook of the user adds, for the agent, before a prompt. */

const OPENING = '<hook-context>'
const CLOSING = '</hook-context>'

export function hookNote(context: string): string {
  const said = `A hook of the user adds this to the next message.\n\n${context}`
  return `${OPENING}\n${said.replaceAll(/<(\/?)hook-context>/gi, '<$1hook_context>')}\n${CLOSING}\n`
}

/** Whether a text before a prompt is such a note. */
export function isHookNote(text: string): boolean {
  return text.startsWith(`${OPENING}\n`)
}
