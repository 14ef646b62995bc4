/** Offers to install a missing agent. The command goes into the composer, where the user sees it and runs it. */
import type { ChoicePrompt } from '../../context/choice-prompt.ts'
import type { AppContext } from '../../context/context.ts'
import type { Composing } from '../../composer/composing.ts'

/** Takes the agent's name and the ways to install it: shell commands. Waits for the answer to the first question. */
export type OfferInstall = (agent: string, ways: readonly { label: string; command: string }[]) => Promise<void>

export function createInstallOffer(
  { state, hint, keyed }: Pick<AppContext, 'state' | 'hint' | 'keyed'>,
  composing: Pick<Composing, 'edit'>,
  choicePrompt: ChoicePrompt,
  firstAnswer: Promise<void>,
): OfferInstall {
  return async (agent, ways) => {
    // A list would take the keys of the first question.
    await firstAnswer
    // A user who types is not interrupted.
    if (ways.length === 0 || state().editor.text !== '') return
    const answers = ways.map(({ label, command }) => ({
      label,
      detail: command,
      run() {
        composing.edit({ kind: 'setText', text: `!${command}` })
        hint(`${keyed('{composer.submit} installs it. ')}Then start zotui again: /exit leaves.`)
      },
    }))
    const later = { label: 'not now', detail: 'stay in the demo', run: () => undefined }
    choicePrompt.ask({ title: `install ${agent}?`, answers: [...answers, later], dismissOnType: true })
  }
}
