/**
 * The search of an exported page: it opens what holds a match, marks every one and goes from one to the next. Without it, or
 * in a browser that cannot mark, the page reads the same and the browser's own search works.
 */
export const pageScript = `
const box = document.querySelector('input'), said = document.querySelector('output'), toggle = document.querySelector('button')
const main = document.querySelector('main'), folds = [...document.querySelectorAll('details')]
const canMark = 'highlights' in CSS
let matches = [], at = -1, opened = []

const blocks = 'p, pre, li, summary, td, th, .said'

function find() {
  for (const fold of opened) fold.open = false
  opened = []
  at = -1
  const wanted = box.value.toLowerCase()
  matches = wanted === '' ? [] : texts().flatMap(text => matchesIn(text, wanted))
  for (const { startContainer } of matches) reveal(startContainer.parentElement)
  if (canMark) CSS.highlights.set('match', new Highlight(...matches))
  if (matches.length > 0) go(1)
  else tell()
}

// The text of each block with its nodes: a match may run over the borders of colours.
function texts() {
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT), found = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const block = node.parentElement.closest(blocks)
    if (!block) continue
    if (found.at(-1)?.block !== block) found.push({ block, text: '', nodes: [] })
    const last = found.at(-1)
    last.nodes.push({ node, from: last.text.length })
    last.text += node.data
  }
  return found
}

function matchesIn({ text, nodes }, wanted) {
  const low = text.toLowerCase(), found = []
  // A few capitals have longer small letters: then places in one are none in the other.
  if (low.length !== text.length) return []
  for (let from = low.indexOf(wanted); from >= 0; from = low.indexOf(wanted, from + wanted.length)) {
    found.push(rangeOf(nodes, from, from + wanted.length))
  }
  return found
}

function reveal(element) {
  for (let fold = element.closest('details'); fold; fold = fold.parentElement.closest('details')) {
    if (fold.open || fold.firstElementChild.contains(element)) continue
    fold.open = true
    opened.push(fold)
  }
}

function rangeOf(nodes, from, to) {
  const range = document.createRange()
  const first = nodes.findLast(each => each.from <= from), last = nodes.findLast(each => each.from < to)
  range.setStart(first.node, from - first.from)
  range.setEnd(last.node, to - last.from)
  return range
}

function go(by) {
  if (matches.length === 0) return
  at = (at + by + matches.length) % matches.length
  const range = matches[at]
  if (canMark) CSS.highlights.set('current', new Highlight(range))
  range.startContainer.parentElement.scrollIntoView({ block: 'center' })
  tell()
}

function tell() {
  if (canMark && matches.length === 0) CSS.highlights.delete('current')
  said.textContent = box.value === '' ? '' : matches.length === 0 ? 'no matches' : (at + 1) + ' of ' + matches.length
}

document.querySelector('.find').hidden = false
box.addEventListener('input', find)
box.addEventListener('keydown', event => {
  if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
  if (event.key === 'Escape') { box.value = ''; find(); box.blur() }
})
addEventListener('keydown', event => {
  if (event.key !== '/' || event.target === box || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  box.focus()
})
toggle.addEventListener('click', () => {
  const open = folds.some(fold => !fold.open)
  for (const fold of folds) fold.open = open
  toggle.textContent = open ? 'Close all' : 'Open all'
})
`
