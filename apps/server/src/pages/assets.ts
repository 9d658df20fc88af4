/** The files that pages load. */
import type { Surface } from '../kernel/http/surfaces.ts'

const style = `:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
main { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
label { display: block; margin-top: 1rem; font-weight: 600; }
input, button { font: inherit; box-sizing: border-box; padding: 0.5rem; width: 100%; }
button { margin-top: 1.5rem; }
code { overflow-wrap: anywhere; }
[role="alert"] { border-left: 0.3rem solid #b00020; padding-left: 0.8rem; }
`

/** The secret of an invitation stands behind the # of its link, which browsers send to nobody. */
const invite = `const field = document.getElementById('token')
const token = location.hash.slice(1)
if (field !== null && token !== '') {
  field.value = token
  history.replaceState(null, '', location.pathname)
}
`

export const assets: readonly Surface[] = [
  { path: '/pages/style.css', answer: async () => ({ type: 'text/css; charset=utf-8', body: style }) },
  { path: '/pages/invite.js', answer: async () => ({ type: 'text/javascript; charset=utf-8', body: invite }) },
]
