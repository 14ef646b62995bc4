/** The words of `--agent` that start an agent again on another machine. */
import process from 'node:process'
import type { AgentChoice } from '../../../../src/agents/index.ts'
import { MEERKAT } from '../../../../src/agents/meerkat/program.ts'
import { ROZ } from '../../../../src/agents/roz/name.ts'
import { quoted } from '../../../../src/platform/shell/quoting.ts'

/** Undefined for an agent that is known by its name. What names a file of this machine for Meerkat itself is left out. */
export function remoteWords(choice: AgentChoice): string | undefined {
  if (choice.agent === 'meerkat') {
    const { model, provider, reasoning, flags } = choice.program
    const { builtins, shell, memory, budget } = flags
    return line(MEERKAT.name, [
      ['--model', model],
      ['--provider', provider],
      ['--reasoning', reasoning],
      ['--builtins', builtins],
      ['--shell', shell],
      ['--memory', memory],
      ['--max-tokens', budget?.tokens],
      ['--max-tool-calls', budget?.toolCalls],
    ])
  }
  if (choice.agent !== 'roz') return undefined
  const { address, model, environment, task, ca } = choice.start
  // Its server is the same from every machine.
  return line(ROZ.name, [
    ['--base-url', `${address.isSecure ? 'https' : 'http'}://${address.target}`],
    ['--model', model],
    ['--environment', environment],
    ['--task', task],
    ['--ca', ca],
  ])
}

function line(name: string, flags: readonly (readonly [string, string | number | boolean | undefined])[]): string {
  const words = flags.flatMap(([flag, value]) =>
    value === undefined || value === '' || value === false ? [] : value === true ? [flag] : [flag, word(String(value))],
  )
  return [name, ...words].join(' ')
}

function word(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return process.platform === 'win32' ? `"${text}"` : quoted(text)
}
