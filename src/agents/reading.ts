/** The start of an agent that only reads. */
import type { Reply } from '../agent/backend.ts'
import type { AgentChoice } from './index.ts'
import type { ZotOptions } from './zot/program/options.ts'

/** `mode` is the agent's own mode that holds it to reading; null for an agent whose tools and guard do. */
export type ReadingChoice = { choice: AgentChoice; mode: string | null }

/** The same agent, restricted to reading; a refusal says why that is impossible. `reading` are the options with which zot only reads. */
export function readingChoice(choice: AgentChoice, reading: Pick<ZotOptions, 'tools' | 'noExt'>): Reply<ReadingChoice> {
  switch (choice.agent) {
    case 'demo':
      return { ok: true, value: { choice, mode: null } }
    case 'remote-zot':
    case 'zot': {
      const { tools: allowed, ...options } = choice.options
      const tools = reading.tools?.filter(tool => allowed?.includes(tool) ?? true) ?? []
      // Arguments of the user's own could give it more than that.
      const restricted = { ...options, ...reading, tools, noTools: options.noTools || tools.length === 0 }
      return { ok: true, value: { choice: { ...choice, options: { ...restricted, ext: [], extra: [] } }, mode: null } }
    }
    case 'meerkat': {
      const { flags } = choice.program
      const restricted = { ...flags, builtins: false, shell: false }
      return {
        ok: true,
        value: { choice: { ...choice, program: { ...choice.program, flags: restricted } }, mode: null },
      }
    }
    // Its tools are those of zotui.
    case 'roz':
      return { ok: true, value: { choice, mode: null } }
    case 'remote-acp':
    case 'acp': {
      const { name, known } = choice.agent === 'acp' ? choice.program : choice.found.agent
      if (known) return { ok: true, value: { choice: { ...choice, onlyReads: true }, mode: known.modes.for.read } }
      return { ok: false, message: `${name} cannot be limited to reading: zotui knows no read-only mode of it` }
    }
  }
}
