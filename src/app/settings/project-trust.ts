/** The user's trust in this project's settings and prompts: asked for at the start, and changed by `/settings trust`. */
import { ignoredWords, projectValues } from '../../config/document/ignored.ts'
import { messageOf } from '../../platform/errors.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import type { Choice } from '../../state/pickers/picker.ts'

export type ProjectTrust = {
  /** Says which of the project's settings are ignored, and asks for trust if the user has never answered. */
  sayLeftOut: () => void
  /** Asks again, also after an earlier answer. */
  ask: () => void
  /** The row in the list of settings; null if nothing of the project needs trust. */
  row: () => Choice | null
}

/** The name of this row in the list of settings. */
export const TRUST = 'trust'

export function createProjectTrust(context: AppContext, choicePrompt: ChoicePrompt): ProjectTrust {
  const { settings, addProgramNotice, hint, state } = context
  const hasSettings = (): boolean => settings.needingTrust().length > 0
  const hasPrompts = (): boolean => state().promptCommands.some(({ isOfProject }) => isOfProject === true)
  return {
    sayLeftOut() {
      const words = ignoredWords(settings)
      if (words === null) return
      addProgramNotice('info', words)
      if (settings.trust() === null) ask(true)
    },
    ask() {
      if (hasSettings() || hasPrompts()) ask(false)
      else hint('This project has no settings and no prompts that need trust.')
    },
    row() {
      if (!hasSettings() && !hasPrompts()) return null
      const isTrusted = settings.trust() === true
      const used = isTrusted ? 'used: you trust this project' : 'not used: the project is not trusted'
      const trusted = isTrusted ? 'you trust this project' : 'the project is not trusted'
      return { label: TRUST, detail: hasSettings() ? `${settingsText()}   ${used}` : trusted }
    },
  }

  function ask(unasked: boolean): void {
    choicePrompt.ask({
      title: hasSettings() ? "this project's settings" : 'this project',
      dismissOnType: unasked,
      selected: settings.trust() === true ? 1 : 0,
      answers: [
        {
          label: hasSettings() ? 'ignore them' : 'do not trust it',
          detail: hasSettings()
            ? 'they can run programs, cost money, or lower safety'
            : 'its prompts are shown in full',
          run: () => answer(false),
        },
        {
          label: hasSettings() ? 'trust them' : 'trust it',
          detail: hasSettings()
            ? settingsText()
            : 'its prompts are shown as you type them; settings that it may get count, too',
          run: () => answer(true),
        },
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
      addProgramNotice('error', `The answer could not be saved: ${messageOf(error)}`)
    }
  }

  function settingsText(): string {
    return projectValues(settings.needingTrust(), settings)
  }
}
