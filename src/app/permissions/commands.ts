/** The slash commands /permissions, /plan and /running. */
import { permissionModes, type PermissionMode } from '../../agent/permission.ts'
import type { RunningCommand } from '../../agent/requests.ts'
import { messageOf } from '../../platform/errors.ts'
import { wordsOfMode } from '../../permissions/modes.ts'
import type { Rule } from '../../permissions/rules/rule.ts'
import type { RuleSource } from '../../permissions/rules/written-rule.ts'
import { offeredModes } from '../../state/question.ts'
import { promptEntry } from '../../state/composer/queue-entry.ts'
import { formatDuration } from '../../text/format.ts'
import { sanitizeExact } from '../../text/sanitize.ts'
import { sentence } from '../../text/sentence.ts'
import type { ChoiceAnswer, ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import type { CommandRows } from '../turns/command-runner.ts'
import type { Turns } from '../turns/turns.ts'
import type { Permissions } from './permissions.ts'

/** The rules that the user can change here: others come from a project's file, a variable or a flag. */
const ownSources: ReadonlySet<RuleSource> = new Set(['user', 'folder', 'session'])

export type PermissionCommandParts = {
  context: AppContext
  choicePrompt: ChoicePrompt
  permissions: Pick<Permissions, 'modes' | 'judge' | 'judgeAgain'>
  turns: Pick<Turns, 'queue'>
}

export function createPermissionCommands({ context, choicePrompt, permissions, turns }: PermissionCommandParts) {
  const { backend, hint, keyed, now } = context
  const { modes, judge, judgeAgain } = permissions
  return {
    permissions: argument => (argument === '' ? list() : use(argument)),
    plan,
    running: () => void listRunning(),
  } satisfies Partial<CommandRows>

  function use(word: string): void {
    const mode = permissionModes.find(each => each === word.toLowerCase())
    if (mode) return modes.keep(mode)
    hint(`There is no mode ${word}. The modes are ${permissionModes.join(', ')}.`)
  }

  /** The text is the prompt of the first turn in plan mode; `off` ends the mode. */
  function plan(_argument: string, typed: string): void {
    const text = typed.trim()
    const isOn = modes.mode() === 'plan'
    if (text === 'off')
      return isOn ? modes.use(modes.beforePlan()) : hint(`Plan mode is off: the mode is ${modes.mode()}.`)
    // A second /plan must not leave plan mode.
    if (text === '' && isOn) return hint(`Plan mode is on. /plan off returns to mode ${modes.beforePlan()}.`)
    modes.use('plan')
    if (text !== '') turns.queue.say(promptEntry(text))
  }

  function list(): void {
    const rules = judge.rules()
    const answers = [...offeredModes.map(mode => modeAnswer(mode)), ...rules.map(rule => ruleAnswer(rule))]
    const selected = offeredModes.indexOf(modes.mode())
    choicePrompt.ask({ title: 'permissions', answers, selected: Math.max(0, selected) })
  }

  function modeAnswer(mode: PermissionMode): ChoiceAnswer {
    const facts = [mode === modes.mode() ? 'in use' : '']
    return { label: mode, facts, detail: wordsOfMode(mode).about, run: () => modes.keep(mode) }
  }

  function ruleAnswer(rule: Rule): ChoiceAnswer {
    const { text, effect, broken, source, place } = rule
    const isOwn = ownSources.has(source) && text !== ''
    const drops = keyed('; {picker.take} removes it')
    const facts = broken === null ? [effect] : [effect, 'broken']
    const detail = `${place}${broken === null ? '' : `: ${broken}`}${isOwn ? drops : ''}`
    // Exact: a carriage return must not hide what the rule allows.
    return { label: sanitizeExact(text) || 'a rule that is not text', facts, detail, run: () => pickRule(rule) }
  }

  function pickRule(rule: Rule): void {
    const { text, effect, source, place } = rule
    if (source === 'session') return void remove(rule, 'this session')
    if (!ownSources.has(source) || text === '') return hint(`${effect} ${text} is from ${place}: change it there.`)
    choicePrompt.ask({
      title: `remove ${sanitizeExact(text)}?`,
      answers: [
        { label: 'no', detail: 'it stays', run: list },
        { label: 'yes', detail: `from ${place}`, run: () => void remove(rule, place) },
      ],
    })
  }

  async function remove(rule: Rule, from: string): Promise<void> {
    try {
      if (!(await judge.revoke(rule))) return hint(`${rule.text} is no longer in ${from}.`)
    } catch (problem) {
      return context.aside('warn', `${rule.text} was not removed: ${sentence(messageOf(problem))}`)
    }
    judgeAgain()
    hint(`Removed ${rule.text} from ${from}.`)
  }

  async function listRunning(): Promise<void> {
    const commands = await backend.listRunning()
    if (commands.length === 0) return hint('The agent has no commands running, and left none in the background.')
    const answers = commands.map(command => runningAnswer(command))
    choicePrompt.ask({ title: 'running: end which one?', answers })
  }

  function runningAnswer(command: RunningCommand): ChoiceAnswer {
    const age = formatDuration(Math.max(0, now() - command.startedAt))
    const facts = [String(command.pid), age]
    const detail = command.callId === null ? 'left in the background' : 'runs now'
    return { label: sanitizeExact(command.command), facts, detail, run: () => void end(command) }
  }

  async function end({ pid, command }: RunningCommand): Promise<void> {
    const reply = await backend.endRunning(pid)
    if (!reply.ok) return context.aside('error', `${command} was not ended: ${sentence(reply.message)}`)
    hint(`Ended ${command}${context.state().chat.open ? '; the turn continues' : ''}.`)
  }
}
