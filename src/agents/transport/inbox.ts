export type Inbox<Item> = {
  push: (item: Item) => void
  /** Sets the only receiver and delivers buffered items at once. */
  receive: (listener: (item: Item) => void) => void
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
