/** `/permissions`: the mode, and the rules that decide what runs without a question. */
import { permissionModes, type PermissionMode } from '../../agent/permission.ts'
import type { CommandApp } from '../../app/command-app.ts'
import type { ChoiceAnswer } from '../../app/context/choice-prompt.ts'
import { wordsOfMode } from '../../permissions/modes.ts'
import type { Rule } from '../../permissions/rules/rule.ts'
import type { RuleSource } from '../../permissions/rules/written-rule.ts'
import { messageOf } from '../../platform/errors.ts'
import { offeredModes } from '../../state/question.ts'
import { sanitizeExact } from '../../text/sanitize.ts'
import { sentence } from '../../text/sentence.ts'
import { slashCommand } from '../slash-command.ts'

export const permissions = slashCommand({
  name: 'permissions',
  aliases: ['permission', 'approvals'],
  argument: '[mode]',
  help: 'what runs without asking: the mode and the rules; the mode is saved for this folder',
  group: 'agent',
  abilities: ['setPermissionMode'],
  run(app, argument) {
    if (argument === '') return list(app)
    const mode = permissionModes.find(each => each === argument.toLowerCase())
    if (mode) return app.permissions.modes.keep(mode)
    app.context.hint(`There is no mode ${argument}. The modes are ${permissionModes.join(', ')}.`)
  },
})

/** The rules that the user can change here: others come from a project's file, a variable or a flag. */
const ownSources: ReadonlySet<RuleSource> = new Set(['user', 'folder', 'session'])

function list(app: CommandApp): void {
  const { modes, judge } = app.permissions
  const rules = judge.rules()
  const offered = offeredModes(app.context.backend.abilities.has('sandbox'))
  const answers = [...offered.map(mode => modeAnswer(app, mode)), ...rules.map(rule => ruleAnswer(app, rule))]
  const selected = offered.indexOf(modes.mode())
  app.choicePrompt.ask({ title: 'permissions', answers, selected: Math.max(0, selected) })
}

function modeAnswer({ permissions: { modes } }: CommandApp, mode: PermissionMode): ChoiceAnswer {
  const facts = [mode === modes.mode() ? 'in use' : '']
  return { label: mode, facts, detail: wordsOfMode(mode).about, run: () => modes.keep(mode) }
}

function ruleAnswer(app: CommandApp, rule: Rule): ChoiceAnswer {
  const { text, effect, broken, source, place } = rule
  const isOwn = ownSources.has(source) && text !== ''
  const drops = app.context.keyed('; {picker.take} removes it')
  const facts = broken === null ? [effect] : [effect, 'broken']
  const detail = `${place}${broken === null ? '' : `: ${broken}`}${isOwn ? drops : ''}`
  // Exact: a carriage return must not hide what the rule allows.
  return { label: sanitizeExact(text) || 'a rule that is not text', facts, detail, run: () => pickRule(app, rule) }
}

function pickRule(app: CommandApp, rule: Rule): void {
  const { text, effect, source, place } = rule
  if (source === 'session') return void remove(app, rule, 'this session')
  if (!ownSources.has(source) || text === '')
    return app.context.hint(`${effect} ${text} is from ${place}: change it there.`)
  app.choicePrompt.ask({
    title: `remove ${sanitizeExact(text)}?`,
    answers: [
      { label: 'no', detail: 'it stays', run: () => list(app) },
      { label: 'yes', detail: `from ${place}`, run: () => void remove(app, rule, place) },
    ],
  })
}

async function remove({ context, permissions }: CommandApp, rule: Rule, from: string): Promise<void> {
  try {
    if (!(await permissions.judge.revoke(rule))) return context.hint(`${rule.text} is no longer in ${from}.`)
  } catch (problem) {
    return context.addProgramNotice('warn', `${rule.text} was not removed: ${sentence(messageOf(problem))}`)
  }
  permissions.judgeAgain()
  context.hint(`Removed ${rule.text} from ${from}.`)
}
