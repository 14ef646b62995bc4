/** Who looks at which conversation, over all servers that are connected. */

/** The most names that are kept of a conversation. */
const MOST = 50

export class Watchers {
  readonly #of = new Map<object, Map<string, readonly string[]>>()

  /** The names that one server reports for a conversation. */
  set(server: object, conversation: string, names: readonly string[]): void {
    const own = this.#of.get(server) ?? new Map<string, readonly string[]>()
    if (names.length === 0) own.delete(conversation)
    else own.set(conversation, names)
    this.#of.set(server, own)
  }

  /** A server is gone. Returns the conversations that it has reported. */
  remove(server: object): readonly string[] {
    const own = this.#of.get(server)
    this.#of.delete(server)
    return [...(own?.keys() ?? [])]
  }

  of(conversation: string): readonly string[] {
    const names = [...this.#of.values()].flatMap(own => own.get(conversation) ?? [])
    return [...new Set(names)].slice(0, MOST)
  }
}
