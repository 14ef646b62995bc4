/** The words of a device as a prompt: nothing in them is a command, of zotui or of the agent. */

/** Agents read these at the beginning of a prompt, some of them also behind blanks. */
const COMMAND = /^\s*[/!]/

/** Words in front keep their first character from being a sign, wherever the text is read again: in the queue, in the drafts, by the agent. */
export function literalPrompt(text: string): string {
  return COMMAND.test(text) ? `As text: ${text.trimStart()}` : text
}
