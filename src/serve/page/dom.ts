/** Makes and changes elements. A text is never HTML here. */

type Attributes = Readonly<Record<string, string | boolean | null>>
type Child = Node | string | null

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) setAttribute(made, name, value)
  made.append(...children.filter(child => child !== null))
  return made
}

/** True stands for an empty text; false and null remove it. Nothing is touched that is right already, so that no reader says it again. */
export function setAttribute(node: Element, name: string, value: string | boolean | null): void {
  if (value === null || value === false) node.removeAttribute(name)
  else {
    const text = value === true ? '' : value
    if (node.getAttribute(name) !== text) node.setAttribute(name, text)
  }
}

export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text
}

export type ButtonLook = {
  /** Classes besides `button`. */
  look?: string
  icon?: IconName
  /** For one that shows no words. */
  label?: string
}

export function button(
  words: string,
  onPress: (event: MouseEvent) => void,
  { look = '', icon, label }: ButtonLook = {},
): HTMLButtonElement {
  const made = element(
    'button',
    { type: 'button', class: `button ${look}`.trim(), 'aria-label': label ?? null, title: label ?? null },
    icon ? iconOf(icon) : null,
    words === '' ? null : element('span', {}, words),
  )
  made.addEventListener('click', onPress)
  return made
}

const ICONS = {
  back: 'M15 5l-7 7 7 7',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6z',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  remove: 'M6 6l12 12M18 6L6 18',
  down: 'M12 5v14M6 13l6 6 6-6',
  device: 'M8 3h8a1 1 0 011 1v16a1 1 0 01-1 1H8a1 1 0 01-1-1V4a1 1 0 011-1zM11 18h2',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  ask: 'M12 4.5l9 15H3zM12 10v4.5M12 17h.01',
  steer: 'M4 12h11M11 7l5 5-5 5M20 5v14',
  next: 'M5 12h13M12 6l6 6-6 6',
} as const
export type IconName = keyof typeof ICONS

/** Decoration: readers hear the words beside it, or the button's label. */
export function iconOf(name: IconName): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const picture = document.createElementNS(space, 'svg')
  picture.setAttribute('viewBox', '0 0 24 24')
  picture.setAttribute('class', 'icon')
  picture.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', ICONS[name])
  picture.append(path)
  return picture
}

/** An element for each item, which stays the same for as long as its item is there. */
export class KeyedElements<Item, View extends { node: HTMLElement; show: (item: Item) => void }> {
  readonly #parent: HTMLElement
  readonly #keyOf: (item: Item) => string
  readonly #make: (item: Item) => View
  #views = new Map<string, View>()

  constructor(parent: HTMLElement, keyOf: (item: Item) => string, make: (item: Item) => View) {
    this.#parent = parent
    this.#keyOf = keyOf
    this.#make = make
  }

  show(items: readonly Item[]): void {
    const views = new Map<string, View>()
    for (const item of items) {
      const key = this.#keyOf(item)
      if (!views.has(key)) views.set(key, this.#views.get(key) ?? this.#make(item))
      views.get(key)?.show(item)
    }
    for (const [key, { node }] of this.#views) if (!views.has(key)) node.remove()
    this.#views = views
    let place = this.#parent.firstElementChild
    for (const { node } of views.values()) {
      if (node === place) place = place.nextElementSibling
      else this.#parent.insertBefore(node, place)
    }
  }

  get(key: string): View | undefined {
    return this.#views.get(key)
  }
}
