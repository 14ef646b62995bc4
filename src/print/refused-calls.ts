/** The calls of a run that were refused because nobody allowed them. */
import type { Backend } from '../agent/backend.ts'
import type { EventOf } from '../agent/event.ts'
import type { PermissionMode, ToolKind, ToolRequest } from '../agent/permission.ts'
import { callInBrief } from '../conversation/calls/call-in-brief.ts'

const HOW_TO_ALLOW =
  '-p cannot ask. To allow such calls, use --permissions edits or allow, or a rule of the setting allow; `zotui permissions test "COMMAND"` tries it.'

export class RefusedCalls {
  readonly #onRefused: (line: string) => void
  /** Their kinds, by the ids of their requests; null for what would leave the sandbox. */
  readonly #kinds = new Map<string, ToolKind | null>()

  /** `onRefused` takes a line for each. */
  constructor(onRefused: (line: string) => void) {
    this.#onRefused = onRefused
  }

  get hasAny(): boolean {
    return this.#kinds.size > 0
  }

  add(call: ToolRequest | EventOf<'permission_requested'>, because: string): void {
    if (this.#kinds.has(call.id)) return
    this.#kinds.set(call.id, call.wants || call.outside ? null : call.kind)
    this.#onRefused(`refused ${callInBrief(call).replaceAll(/\s+/g, ' ')}: ${because}`)
  }

  /**
   * The way depends on the agent: one that asks by itself reports too little for a rule to allow its calls. Null where no mode and no rule
   * would allow them: the lines about them say all.
   */
  howToAllow(backend: Backend | null, mode: PermissionMode): string | null {
    const kinds = [...this.#kinds.values()].filter(kind => kind !== null)
    if (kinds.length === 0) return null
    if (!backend?.abilities.has('startIn')) return HOW_TO_ALLOW
    const { name } = backend
    const isOfEdits = kinds.every(kind => kind === 'edit')
    const helps = isOfEdits && mode !== 'edits' && backend.unasked()?.isKnown !== false
    const edits = helps ? '--permissions edits to let it change files, ' : ''
    return (
      `-p cannot ask. ${name} asks by its own rules, so allow rules of zotui do not count. ` +
      `Use ${edits}--permissions allow to let it do everything, or a program that answers: --permission-tool "COMMAND".`
    )
  }
}
