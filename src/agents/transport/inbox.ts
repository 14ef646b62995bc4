export type Inbox<Item> = {
  push: (item: Item) => void
  /** Sets the only receiver and delivers buffered items at once. */
  receive: (listener: (item: Item) => void) => void
}

/** The lines of a `Transport`, and the sizes of dropped ones, in order. */
export function createLineInbox(): LineInbox {
  const { push, receive } = createInbox<string | number>()
  return {
    push,
    drop: push,
    receive: (onLine, onDropped) => receive(item => (typeof item === 'string' ? onLine(item) : onDropped?.(item))),
  }
}

export type LineInbox = {
  push: (line: string) => void
  /** A line of so many bytes was too long to keep. */
  drop: (bytes: number) => void
  receive: (onLine: (line: string) => void, onDropped?: (bytes: number) => void) => void
}

/** Makes a queue that keeps, in order, items that arrive before there is a receiver. */
export function createInbox<Item>(): Inbox<Item> {
  const early: Item[] = []
  let onItem = (item: Item): void => void early.push(item)
  return {
    push: item => onItem(item),
    receive(listener) {
      onItem = listener
      for (const item of early.splice(0)) listener(item)
    },
  }
}
