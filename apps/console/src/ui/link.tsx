import { useRouter, useRouterState } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react'

/** Goes to an address of the console without loading the page anew. */
export function useGo(): (href: string) => void {
  const router = useRouter()
  return (href) => router.history.push(href)
}

export const useHere = (): string => useRouterState({ select: ({ location }) => location.pathname })

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  readonly href: string
  readonly children: ReactNode
  /** Counts as the current page below this beginning, too. */
  readonly below?: string
}

/** A link inside the console; with a key held it opens a tab, as links do. */
export function A({ href, children, below, onClick, ...rest }: LinkProps) {
  const go = useGo()
  const here = useHere()
  const [path = ''] = href.split('?')
  const active = here === path || (below !== undefined && (here === below || here.startsWith(`${below}/`)))
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    go(href)
  }
  return (
    <a
      href={href}
      onClick={follow}
      data-status={active ? 'active' : undefined}
      aria-current={here === path ? 'page' : undefined}
      {...rest}
    >
      {children}
    </a>
  )
}

/** The filters of a list, which stand in the address; an empty value leaves. */
export function useFilters(): readonly [
  Readonly<Record<string, string>>,
  (patch: Readonly<Record<string, string>>) => void,
] {
  const router = useRouter()
  const text = useRouterState({ select: ({ location }) => location.searchStr })
  const path = useHere()
  const values = Object.fromEntries(new URLSearchParams(text))
  const set = (patch: Readonly<Record<string, string>>): void => {
    const next = new URLSearchParams(Object.entries({ ...values, ...patch }).filter(([, value]) => value !== ''))
    const query = next.toString()
    router.history.replace(query === '' ? path : `${path}?${query}`)
  }
  return [values, set]
}
