/** Icons as strokes of the text's color; always beside a word, so hidden from readers of the page. */
const paths = {
  home: 'M3 9.5 10 4l7 5.5V17h-4.5v-4.5h-5V17H3z',
  trust: 'M10 2.5 16.5 5v5c0 4-2.7 6.5-6.5 7.7C6.2 16.5 3.5 14 3.5 10V5zM7 10l2.2 2.2L13.3 8',
  gateway: 'M3 6h9m0 0L9.5 3.5M12 6 9.5 8.5M17 14H8m0 0 2.5-2.5M8 14l2.5 2.5',
  aegis: 'M10 3v4m0 6v4M3 10h4m6 0h4M10 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
  risk: 'M10 3 18 17H2zM10 8v4m0 2.2v.3',
  compliance: 'M4 3h12v14H4zM7 7h6M7 10h6m-6 3h3',
  iam: 'M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M4 17c.4-3.4 2.8-5 6-5s5.6 1.6 6 5',
  admin: 'M4 5h12M4 10h12M4 15h12M7 3.5v3M13 8.5v3M8.5 13.5v3',
  modules: 'M3.5 3.5h5.5V9H3.5zM11 3.5h5.5V9H11zM3.5 11h5.5v5.5H3.5zM11 11h5.5v5.5H11z',
  docs: 'M4 4.5C6 3.5 8 3.5 10 5c2-1.5 4-1.5 6-.5V16c-2-1-4-1-6 .5-2-1.500-4-1.500-6-.5zM10 5v11.500',
  search: 'M9 3.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11M13 13l4 4',
  sun: 'M10 6.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7M10 2v2m0 12v2M2 10h2m12 0h2M4.500 4.500 6 6m8 8 1.500 1.500m0-11L14 6m-8 8-1.500 1.500',
  moon: 'M16 11.500A6.500 6.500 0 0 1 8.500 4 6.500 6.500 0 1 0 16 11.500',
  fold: 'M12.500 5 7.500 10l5 5',
  unfold: 'M7.500 5l5 5-5 5',
  stop: 'M6.500 2.500h7l4 4v7l-4 4h-7l-4-4v-7zM7 10h6',
  check: 'M4 10.500 8 14.500 16 5.500',
  cross: 'M5 5l10 10M15 5 5 15',
  dot: 'M10 6.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7',
  flag: 'M5 18V3h9l-2 3.500L14 10H5',
  hide: 'M3 10h14M3 6h6m2 0h6M3 14h4m2 0h8',
  out: 'M8 4H4v12h4M12 6.500l4 3.500-4 3.500M16 10H8',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <path d={paths[name]} stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

export function Mark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path fill="currentColor" d="M3 7h6v5h4V7h6v5h4V7h6v18H3z" />
    </svg>
  )
}
