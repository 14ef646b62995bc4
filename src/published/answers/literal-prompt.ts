/** The words of a device as a prompt: nothing in them is a command, of zotui or of the agent. */

import { withoutChips } from '../../composer/chips.ts'
import { normalisePaste } from '../../composer/paste.ts'

/** Agents read these at the beginning of a prompt, some of them also behind blanks. */
const COMMAND = /^\s*[/!]/

/**
 * Its characters are as harmless as those of a paste. Words in front keep the first of them from being a sign, wherever the text is read again:
 * in the queue, in the drafts, by the agent.
 */
export function literalPrompt(text: string): string {
  const words = withoutChips(normalisePaste(text))
  return COMMAND.test(words) ? `As text: ${words.trimStart()}` : words
}
