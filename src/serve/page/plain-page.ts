/** A page with a sentence or two and nothing else: before there are conversations, or when there are none any more. */
import { element } from './dom.ts'

export type PlainPage = { title: string; sentences: readonly string[]; isProblem?: boolean; more?: HTMLElement }

export function plainPage(root: HTMLElement, { title, sentences, isProblem = false, more }: PlainPage): void {
  const heading = element('h1', { tabindex: '-1' }, title)
  const main = element(
    'main',
    { class: 'plain-page' },
    element('img', { src: '/icon.svg', alt: '', class: 'logo' }),
    heading,
    ...sentences.map(sentence => element('p', isProblem ? { role: 'alert' } : {}, sentence)),
    more ?? null,
  )
  root.replaceChildren(main)
  document.title = `${title} · zotui`
  heading.focus()
}
