/** The settings as the person sees and changes them: `/settings`, and whether this project is trusted. */
import { nameMeant, unknownSetting } from '../config/meant.ts'
import {
  choicesOf,
  describeSetting,
  holdsAtOnce,
  settingNames,
  type SettingName,
  type Settings,
} from '../config/schema.ts'
import { readTyped, shownValue } from '../config/typed.ts'
import type { Answer, Asking } from './asking.ts'
import type { Context } from './context.ts'

export type Preferences = {
  /** `/settings`: the list of all, or one of them, or `name value`, which is set at once. */
  open: (argument: string) => void
  /** Asks whether this project is trusted, where its settings need that and nobody has answered yet. */
  askForTrust: () => void
}

export function createPreferences(context: Context, asking: Asking): Preferences {
  const { settings, dispatch, remark, hint, useTheme, state } = context
  settings.subscribe(apply)
  return { open, askForTrust }

  function open(argument: string): void {
    const [, written = '', value = ''] = /^(\S*)\s*(.*)$/su.exec(argument) ?? []
    if (written === '') return list(0)
    const name = nameMeant(written)
    if (name === null) return remark('warn', `${unknownSetting(written)}.`, '/settings shows all.')
    if (value === '') return askFor(name)
    if (value === 'default') return void change(name, undefined)
    setTyped(name, value)
  }

  function list(selected: number): void {
    const width = Math.max(...settingNames.map(name => shown(name).length).filter(length => length <= 16))
    const rows = settingNames.map((name, index) => ({
      label: name,
      detail: `${shown(name).padEnd(width)}   ${sourceWords(name)}   ${describeSetting(name)}`,
      whole: `${shown(name)} (${sourceWords(name)}). ${describeSetting(name)}`,
      run: () => askFor(name, () => list(index)),
    }))
    const waiting = settings.heldBack().length > 0
    const trust = { label: 'trust', detail: trustWords(), run: () => askTrust(false) }
    asking.ask({ title: 'settings', answers: waiting ? [trust, ...rows] : rows, selected })
  }

  function askFor(name: SettingName, otherwise = (): void => undefined): void {
    const now = shown(name)
    const choices = choicesOf(name)
    const answers: Answer[] = (choices ?? []).map(choice => ({
      label: choice,
      detail: choice === now ? `in use, ${sourceWords(name)}` : '',
      run: () => setTyped(name, choice),
    }))
    if (!choices) answers.push({ label: now, detail: `as it is, ${sourceWords(name)}`, run: otherwise })
    answers.push({ label: 'default', detail: 'takes it out of your file', run: () => void change(name, undefined) })
    const selected = Math.max(0, choices?.indexOf(now) ?? 0)
    const typed = choices ? null : { detail: 'Enter sets this', run: (text: string) => setTyped(name, text) }
    asking.ask({ title: name, answers, selected, otherwise, ...(typed && { typed }) })
    hint(`${describeSetting(name)}${choices ? '' : ' Type another value.'}`)
  }

  function setTyped(name: SettingName, typed: string): void {
    const read = readTyped(name, typed)
    if (!read.ok) return remark('warn', `${name} ${read.reason}; it stays ${shown(name)}.`)
    void change(name, read.value[name])
  }

  async function change<Name extends SettingName>(name: Name, value: Settings[Name] | undefined): Promise<void> {
    try {
      const { kind, place } = await settings.change(name, value)
      const isOurs = kind === 'user' || (value === undefined && kind === 'default')
      if (!isOurs) return hint(`Written to your file; but ${place} goes over it, so ${name} stays ${shown(name)}.`)
      hint(`${name} is ${shown(name)}${holdsAtOnce(name) ? ' now' : ' from the next start on'}.`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      remark('error', `The setting could not be written: ${reason}`)
    }
  }

  /** What changes on the screen at once. */
  function apply(now: Settings, before: Settings): void {
    if (now.detail !== before.detail) dispatch({ type: 'detail_chosen', detail: now.detail })
    if (now.theme === before.theme || now.theme === state().themes.used) return
    const reply = useTheme?.(now.theme)
    if (reply?.ok === false) return remark('error', reply.message, reply.hint)
    dispatch({ type: 'theme_used', name: now.theme })
  }

  function askForTrust(): void {
    if (settings.heldBack().length === 0 || settings.trust() !== null) return
    remark('info', `This project's .zotui/config.json wants ${wanted()}. That does not hold while you do not trust it.`)
    askTrust(true)
  }

  function askTrust(unasked: boolean): void {
    asking.ask({
      title: "this project's settings",
      yields: unasked,
      answers: [
        {
          label: 'as they are',
          detail: 'what may run programs or is less safe is left out',
          run: () => setTrust(false),
        },
        { label: 'trust them', detail: `${wanted()}; from the next start on`, run: () => setTrust(true) },
      ],
    })
  }

  function setTrust(trusted: boolean): void {
    const names = wanted()
    try {
      settings.setTrust(trusted)
      hint(
        trusted
          ? `Trusted: ${names}. What zot needs of it holds from the next start on.`
          : 'Not trusted. /settings can change that.',
      )
    } catch (error) {
      remark('error', `The answer could not be kept: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  function wanted(): string {
    return settings
      .heldBack()
      .map(name => `${name} = ${shownValue(settings.wantedByProject(name) ?? null)}`)
      .join(', ')
  }

  function trustWords(): string {
    return `${wanted()}   not used: the project is not trusted`
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
        return 'your file'
      case 'project':
        return 'project'
      case 'environment':
      case 'flag':
        return place
    }
  }
}
