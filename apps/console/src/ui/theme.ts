/** Dark, light, or as the system; remembered by the browser. */
export type Theme = 'system' | 'dark' | 'light'

const key = 'parapet.theme'
const dark = window.matchMedia('(prefers-color-scheme: dark)')

export function chosenTheme(): Theme {
  const kept = localStorage.getItem(key)
  return kept === 'dark' || kept === 'light' ? kept : 'system'
}

export const shownTheme = (): 'dark' | 'light' => {
  const chosen = chosenTheme()
  if (chosen !== 'system') return chosen
  return dark.matches ? 'dark' : 'light'
}

function apply(): void {
  document.documentElement.dataset.theme = shownTheme()
  window.dispatchEvent(new Event('parapet-theme'))
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(key, theme)
  apply()
}

export function startTheme(): void {
  apply()
  dark.addEventListener('change', apply)
}

/** A token's color as it counts now, for canvases. */
export const colorOf = (token: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${token}`).trim()
