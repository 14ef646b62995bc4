/** The user's trust in this project's settings: asked for at the start, and changed by `/settings trust`. */
import { ignoredWords, wantedWords } from '../../config/document/ignored.ts'
import { messageOf } from '../../platform/errors.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import type { Choice } from '../../state/pickers/picker.ts'

export type ProjectTrust = {
  /** Says which of the project's settings are ignored, and asks for trust if the user has never answered. */
  sayLeftOut: () => void
  /** Asks again, also after an earlier answer. */
  ask: () => void
  /** The row in the list of settings; null if no setting of the project needs trust. */
  row: () => Choice | null
}

/** The name of this row in the list of settings. */
export const TRUST = 'trust'

export function createProjectTrust({ settings, aside, hint }: AppContext, choicePrompt: ChoicePrompt): ProjectTrust {
  return {
    sayLeftOut() {
      const words = ignoredWords(settings)
      if (words === null) return
      aside('info', words)
      if (settings.trust() === null) ask(true)
    },
    ask() {
      if (settings.needingTrust().length === 0) hint('This project has no settings that need trust.')
      else ask(false)
    },
    row() {
      if (settings.needingTrust().length === 0) return null
      const state = settings.trust() === true ? 'used: you trust this project' : 'not used: the project is not trusted'
      return { label: TRUST, detail: `${wanted()}   ${state}` }
    },
  }

  function ask(unasked: boolean): void {
    choicePrompt.ask({
      title: "this project's settings",
      dismissOnType: unasked,
      selected: settings.trust() === true ? 1 : 0,
      answers: [
        {
          label: 'ignore them',
          detail: 'they can run programs, cost money, or lower safety',
          run: () => answer(false),
        },
        { label: 'trust them', detail: wanted(), run: () => answer(true) },
      ],
    })
  }

  function answer(trusted: boolean): void {
    try {
      settings.setTrust(trusted)
      hint(
        trusted
          ? 'Trusted. Options of zot itself take effect on restart.'
          : `Not trusted. /settings ${TRUST} can change that.`,
      )
    } catch (error) {
      aside('error', `The answer could not be saved: ${messageOf(error)}`)
    }
  }

  function wanted(): string {
    return wantedWords(settings.needingTrust(), settings)
  }
}
