export type Inbox<Item> = {
  push: (item: Item) => void
  /** Sets the only receiver and delivers buffered items at once. */
  receive: (listener: (item: Item) => void) => void
}

/** The lines of a `Transport`, and the sizes of dropped ones, in order. */
export function createLineInbox(): LineInbox {
  const early: (() => void)[] = []
  let receiver: { onLine: (line: string) => void; onDropped: (bytes: number) => void } = {
    onLine: line => void early.push(() => receiver.onLine(line)),
    onDropped: bytes => void early.push(() => receiver.onDropped(bytes)),
  }
  return {
    push: line => receiver.onLine(line),
    drop: bytes => receiver.onDropped(bytes),
    receive(onLine, onDropped = () => {}) {
      receiver = { onLine, onDropped }
      for (const deliver of early.splice(0)) deliver()
    },
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
