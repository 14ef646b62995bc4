/** What the page says for a moment, on the screen and to a screen reader. */
import { element } from './dom.ts'

/** Milliseconds for which a message stays. */
const STAYS = 7000

export type Announcer = {
  node: HTMLElement
  /** Shows a sentence. A problem is said at once. */
  say: (sentence: string, isProblem?: boolean) => void
  /** Says a sentence to a screen reader only, when it has nothing else to say. */
  whisper: (sentence: string) => void
}

export function createAnnouncer(): Announcer {
  const messages = element('div', { class: 'messages' })
  const polite = element('p', { class: 'unseen', role: 'status' })
  const urgent = element('p', { class: 'unseen', role: 'alert' })
  const whisper = (sentence: string): void => {
    // The same words again are said again.
    polite.textContent = polite.textContent === sentence ? `${sentence}\u00A0` : sentence
  }
  return {
    node: element('div', { class: 'announcer' }, messages, polite, urgent),
    whisper,
    say(sentence, isProblem = false) {
      const shown = element('p', { class: isProblem ? 'message problem' : 'message', 'aria-hidden': 'true' }, sentence)
      messages.append(shown)
      while (messages.childElementCount > 3) messages.firstElementChild?.remove()
      setTimeout(() => shown.remove(), STAYS)
      if (isProblem) urgent.textContent = sentence
      else whisper(sentence)
    },
  }
}
