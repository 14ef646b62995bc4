/** `/hooks`: the user's hooks, the file that sets each, and its last result. */
import type { HookResult, HookRow } from '../../hooks/hook-runs.ts'
import { inlineCode as code } from '../../text/fence.ts'
import { formatAge, formatDuration } from '../../text/format.ts'
import { slashCommand } from '../slash-command.ts'

export const hooks = slashCommand({
  name: 'hooks',
  aliases: ['hook'],
  argument: '[on|off]',
  help: 'your hooks and the last result of each; off turns them off until you exit',
  group: 'program',
  needs: ['hooks'],
  run({ context }, argument) {
    const own = context.hooks?.hooks
    if (!own) return
    const word = argument.toLowerCase()
    if (word !== '' && word !== 'on' && word !== 'off') return context.hint('/hooks accepts on or off.')
    if (word !== '') own.use(word === 'on')
    const rows = own.rows()
    if (rows.length === 0)
      return context.addProgramNotice('info', 'No hooks are set.', 'docs/hooks.md shows how to set them.')
    const off = own.off()
    const head = off === null ? '' : `No hook runs: ${off}.\n\n`
    context.show(`${head}${rows.map(row => hookText(row, context.now())).join('\n')}`)
  },
})

function hookText(row: HookRow, now: number): string {
  const { event, matcher, command, place } = row.hook
  const names = matcher === null || matcher === '' || matcher === '*' ? '' : ` ${code(matcher)}`
  return `- **${event}**${names} ${code(command)}\n  ${place}: ${stateWords(row, now)}`
}

function stateWords({ hook, isRunning, last }: HookRow, now: number): string {
  if (!hook.isTrusted) return 'does not run until you trust this project (`/settings trust`)'
  if (isRunning) return 'running now'
  return last ? lastWords(last, now) : 'has not run yet'
}

const answers: Readonly<Record<HookResult['says'], string>> = {
  nothing: '',
  allow: 'allowed',
  deny: 'refused',
  ask: 'asked you to decide',
  doubt: 'no valid answer',
}

function lastWords({ at, durationMs, exitCode, says, words }: HookResult, now: number): string {
  const facts = [
    formatAge(now - at),
    formatDuration(durationMs),
    exitCode === null ? '' : `exit code ${exitCode}`,
    answers[says],
    words === '' ? '' : code(words),
  ]
  return facts.filter(fact => fact !== '').join(', ')
}
