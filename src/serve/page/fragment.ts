/**
 * HTML of the server as elements. Its own functions made it and escaped what an agent said, and the page's policy runs no script of it. This
 * is a third wall: what the server never makes does not come in.
 */
import { setAttribute } from './dom.ts'

type PagePolicy = { createHTML: (html: string) => string; createScriptURL: (url: string) => string }
type TrustedTypes = { createPolicy: (name: string, rules: PagePolicy) => PagePolicy }

declare global {
  interface Window {
    /** Not in every browser. */
    trustedTypes?: TrustedTypes
  }
}

const WORKER = '/sw.js'
const policy = window.trustedTypes?.createPolicy('zotui', { createHTML: html => html, createScriptURL: () => WORKER })

/** The address of the only other script that the page starts. */
export function workerUrl(): string {
  return policy ? policy.createScriptURL(WORKER) : WORKER
}

const TAGS = new Set(
  'A B BDO BLOCKQUOTE BR BUTTON CODE DD DETAILS DIV DL DT EM H1 H2 H3 H4 H5 H6 HR LI OL P PRE S SECTION SPAN STRONG SUMMARY TABLE TBODY TD TH THEAD TIME TR UL'.split(
    ' ',
  ),
)
const ATTRIBUTES = new Set('class data-rest datetime dir href open rel start type'.split(' '))

export type ParsedHtml = {
  content: DocumentFragment
  /** False if something was left out: nobody may say yes to the rest. */
  isWhole: boolean
}

export function parsedHtml(html: string): ParsedHtml {
  // Nothing in a template loads or runs.
  const template = document.createElement('template')
  template.innerHTML = policy ? policy.createHTML(html) : html
  let isWhole = true
  for (const each of template.content.querySelectorAll('*')) {
    const names = each.getAttributeNames()
    const isLink = each.hasAttribute('href')
    const isFine =
      TAGS.has(each.tagName) &&
      names.every(name => ATTRIBUTES.has(name)) &&
      (!isLink || /^(?:https?|mailto):/i.test(each.getAttribute('href') ?? ''))
    if (!isFine) {
      isWhole = false
      each.remove()
    } else if (isLink) {
      setAttribute(each, 'target', '_blank')
      setAttribute(each, 'rel', 'noopener noreferrer')
    }
  }
  return { content: template.content, isWhole }
}

/**
 * Makes the children of `node` those of `wanted`, and leaves alone what is the same: what somebody has opened, selected or scrolled to stays,
 * and readers say only what is new.
 */
export function morph(node: ParentNode & Node, wanted: ParentNode & Node): void {
  const before = [...node.childNodes]
  const after = [...wanted.childNodes]
  for (const [at, next] of after.entries()) {
    const old = before[at]
    if (!old) node.append(next)
    else if (!morphNode(old, next)) old.replaceWith(next)
  }
  for (const old of before.slice(after.length)) old.remove()
}

/** False if one cannot become the other. */
function morphNode(old: ChildNode, next: ChildNode): boolean {
  if (old instanceof Text && next instanceof Text) {
    if (next.data.startsWith(old.data)) old.appendData(next.data.slice(old.data.length))
    else if (old.data !== next.data) old.data = next.data
    return true
  }
  if (!(old instanceof Element) || !(next instanceof Element) || old.tagName !== next.tagName) return false
  if (old.isEqualNode(next)) return true
  if (old.hasAttribute('data-rest') || next.hasAttribute('data-rest')) return false
  for (const name of old.getAttributeNames()) {
    if (name !== 'open' && !next.hasAttribute(name)) old.removeAttribute(name)
  }
  for (const name of next.getAttributeNames()) {
    if (name !== 'open') setAttribute(old, name, next.getAttribute(name))
  }
  morph(old, next)
  return true
}
