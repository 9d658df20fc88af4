/** First of all modules: packages that add a style element read the nonce from here, and the content policy wants it. */
declare global {
  interface Window {
    __webpack_nonce__?: string
  }
}

const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')
window.__webpack_nonce__ = meta?.nonce ?? ''

export {}
