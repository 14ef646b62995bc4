/** `/settings` shows and changes the settings. */
import { suggestedName, unknownSetting } from '../../config/document/suggestions.ts'
import { describeSetting } from '../../config/descriptions.ts'
import { appliesImmediately, choicesOf, settingNames, type SettingName, type Settings } from '../../config/schema.ts'
import { messageOf } from '../../platform/errors.ts'
import { isPathSetting, wholePath, type PathSetting } from '../../config/paths.ts'
import { readTyped, shownValue } from '../../config/typed.ts'
import type { ChoiceAnswer, ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import { TRUST, type ProjectTrust } from './project-trust.ts'

export type SettingsCommand = {
  /** '' lists all settings, a name asks for a value, and a name with a value sets it at once. */
  open: (argument: string) => void
}

export function createSettingsCommand(
  context: AppContext,
  choicePrompt: ChoicePrompt,
  projectTrust: ProjectTrust,
): SettingsCommand {
  const { settings, dispatch, addProgramNotice, hint, useTheme, state, host, keyed } = context
  settings.subscribe(apply)
  return { open }

  function open(argument: string): void {
    const [, written = '', value = ''] = /^(\S*)\s*(.*)$/su.exec(argument) ?? []
    if (written === '') return list(0)
    if (written === TRUST) return projectTrust.ask()
    const name = suggestedName(written)
    if (name === null) return addProgramNotice('warn', `${unknownSetting(written)}.`, '/settings shows all.')
    if (value === '') return askFor(name)
    if (value === 'default') return void change(name, undefined)
    setTyped(name, value)
  }

  function list(selected: number): void {
    const rows = settingNames.map((name, index) => ({
      label: name,
      facts: [shown(name), settings.sourceOf(name).kind === 'default' ? '' : sourceWords(name)],
      detail: describeSetting(name),
      endsEarly: true,
      whole: `${shown(name)} (${sourceWords(name)}). ${describeSetting(name)}`,
      run: () => askFor(name, () => list(index)),
    }))
    const trust = projectTrust.row()
    const answers = trust ? [{ ...trust, run: projectTrust.ask }, ...rows] : rows
    choicePrompt.ask({ title: 'settings', answers, selected })
  }

  function askFor(name: SettingName, otherwise = (): void => undefined): void {
    const now = shown(name)
    const choices = choicesOf(name)
    const answers: ChoiceAnswer[] = (choices ?? []).map(choice => ({
      label: choice,
      detail: choice === now ? `in use, ${sourceWords(name)}` : '',
      run: () => setTyped(name, choice),
    }))
    if (!choices) answers.push({ label: now, detail: `keep this value (${sourceWords(name)})`, run: otherwise })
    answers.push({ label: 'default', detail: 'removes it from your file', run: () => void change(name, undefined) })
    const selected = Math.max(0, choices?.indexOf(now) ?? 0)
    const typed = choices
      ? null
      : { detail: keyed('{picker.take} sets this'), run: (text: string) => setTyped(name, text) }
    choicePrompt.ask({ title: name, answers, selected, otherwise, ...(typed && { typed }) })
    hint(`${describeSetting(name)}${choices ? '' : ' Type another value.'}`)
  }

  function setTyped(name: SettingName, typed: string): void {
    const read = readTyped(name, typed)
    if (!read.ok) return addProgramNotice('warn', `${name} ${read.reason}; it stays ${shown(name)}.`)
    void change(name, isPathSetting(name) ? fromHere(name, read.value[name] ?? null) : read.value[name])
  }

  /** A typed path is relative to the current folder, not to the settings file. */
  function fromHere(name: PathSetting, said: string | null): string | null {
    return said === null || !host ? said : wholePath(name, said, host)
  }

  async function change<Name extends SettingName>(name: Name, value: Settings[Name] | undefined): Promise<void> {
    try {
      const { kind, place } = await settings.change(name, value)
      const isOurs = kind === 'user' || (value === undefined && kind === 'default')
      if (!isOurs) return hint(`Saved to your file, but overridden by ${place}: ${name} stays ${shown(name)}.`)
      hint(`${name} is now ${shown(name)}${appliesImmediately(name) ? '' : '; takes effect on restart'}.`)
    } catch (error) {
      addProgramNotice('error', `The setting could not be saved: ${messageOf(error)}`)
    }
  }

  /** Applies the settings that change the screen at once. */
  function apply(now: Settings, before: Settings): void {
    if (now.detail !== before.detail) dispatch({ type: 'detail_chosen', detail: now.detail })
    if (now.thinking !== before.thinking) dispatch({ type: 'thoughts_chosen', thoughts: now.thinking === 'full' })
    if (now.statusFacts !== before.statusFacts) dispatch({ type: 'status_facts_chosen', facts: now.statusFacts })
    if (now.sandbox !== before.sandbox) dispatch({ type: 'sandbox_chosen', sandbox: now.sandbox })
    const theme = settings.pathOf('theme')
    if (now.theme === before.theme || theme === state().themes.used) return
    const reply = useTheme?.(theme)
    if (reply?.ok === false) return addProgramNotice('error', reply.message, reply.hint)
    dispatch({ type: 'theme_used', name: theme })
  }

  function shown(name: SettingName): string {
    return shownValue(settings.values()[name])
  }

  function sourceWords(name: SettingName): string {
    const { kind, place } = settings.sourceOf(name)
    switch (kind) {
      case 'default':
        return 'default'
      case 'user':
        return 'yours'
      case 'project':
        return 'project'
      case 'environment':
      case 'flag':
        return place
    }
  }
}
