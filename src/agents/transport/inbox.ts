export type Inbox<Item> = {
  push: (item: Item) => void
  /** Sets the one receiver, and hands it at once what was kept for it. */
  receive: (listener: (item: Item) => void) => void
}

/** Keeps, in order, what came before there was anyone to receive it. */
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
