/** Frames that the reference implementation (zstd 1.5.4) made of `sampleText`, and frames made by hand. */

const words = (
  'alpha beta gamma delta audit guard policy tenant ledger signal vector thread window frame block literal match offset ' +
  'symbol state'
).split(' ')

/** 4,443 bytes with many repetitions and no period. */
export function sampleText(): Buffer {
  let state = 12_345
  const next = (): number => {
    state = Number((BigInt(state) * 1_103_515_245n + 12_345n) % 2_147_483_648n)
    return state >> 8
  }
  const text = Array.from({ length: 600 }, () => {
    const word = words[next() % words.length] ?? ''
    return next() % 3 === 0 ? `${word}${next() % 1_000}` : word
  })
  return Buffer.from(text.join(' '))
}

/** `zstd -1 --check`: Huffman codes in four streams, tables of its own for sequences. */
export const level1 = packed([
  'KLUv/WRbEFUqAKbmXBtwR2kDEFFpqUBfAfGVsPH/X7Gyu3sn6ej/fyVrAE8ASgAGC4MCYUCssBxDINf6tzaJwgAgZC7nMAZzymmQfOHXB2Eg',
  'KOTwlNRQDCPgkGMaAAALkkeBwuIgkJJIlAMhw6MwzEEcpBxDIEc+KCCOxQBhmIPBHCRRDYxCcCDHgpA4aBCyKgEDRyGMxSmYgmhew5vJNLPQ',
  'mEtYLlWzNBb6rrf7vMSr07oqHXPrttpfMt+JuWY9Oq+VkgMKpySOajO6pXq5HGNmlHqruIdYp0VrHkVRmKPOoygOiAblyRbXy7I02ZdreL89',
  'Z5ldPhGrVPNXql+u1aGe4qsc470rX1rZaX+dXmKpsda3IrO84ZbdeGaJhIh0RcR7dTf17MrdPAb1PsPa609V+0dRHBANokV4Vv4m2l6vhVlW',
  '1MpVOtxEq9q9fe07tLokTVN987vPXT9tA6MQZJXSqSat1apL985mpnjz256ajH/punadZZh7vfPNatMCgjKoEiXvBklSo7BsBiIIdEBAMlBb',
  'twESKJJC7UnSAZSpbPZgitcDuaNcIv8XK0GIuIjNpcxILYAj0FNIe1JYTI1WCwGQP95UoYisBfSlE/ZPW0ZzejgHKoI+4hzw1v8spob/rY6i',
  'EgcI5rD9xP0fjesIhIr9wm5/AULchB7N4mfxhNnxvEBVHmMQdPyamFSJZK0QcsNbllKTkU/56IVWCquOjv9BEWkyHcEKL3Gr/yUhwoWlvWWB',
  '1zK44fplq/zWJoskl2vzFs/uSASwHUV4Jx0yxD/fOo16ADNRNrt0cyPa0QRLzv8pH5pOr5zylqUj/QeplkQAT0eKpMbpYG0KILHgK121EOQJ',
  't4le6tU3yDiZXIbBBN0CSJ4Hvje99X4YL5eG2Ri7luYSz4oXhKaeXF+/hMS0P0g1x+Qsa+kObAPo+NO/NVSSdF0BwHNcowqsOqMdo8k+2doI',
  'ttoaxDnQtVbzpluuOQ4RVexOHCGdCrtc0oWym7KgTF8+wMyHU4yxu2hwj9sO4csCtz9dGA2aW1mCPS+FJfuI/HLWZ55kUJOh+6C8UNhJSdZJ',
  '4Ebh3Cyir5O8dkqEIGkoTKxYdGUwuyfctEwDPQjZeDTqxqESZv+y8fhWz5SSBhMj2JB91KmXukUrm/u11EpVZZUYr+LBV4Vj1/A3vu4hOdQO',
  '7ndR7lsKsf5dZilGyxdHVU5cRHaMyC1IgooKb+JnABwsl3OF6TmiaFKIRithveTNRiLf1hZZdAtUvOSFpeACAz1jRtgBuIcvCMk/+gDUAyGV',
  'GrnDMrgxuEoDeErfSOUp685aRwgX/dzg4zdaVIOV1pSuk46jDheeIRA/5ESRafN5DIFlEBuQex6ECXzpoeuoaI6EWyA7QjlT1v0Esdwlq8N6',
  't9XgU5b5ieV8ARQs9DXBbnZ9TEqtWVrgJN3XG4lKCCD8CD0P57u5YS5VV8OnZypOwZ5Vu0WsB6waYs0hGmWxKkhgC77OucK7ByWFpHcLPRGR',
  'XLLVnRNjo5nWxdoLhFEaDMSecBPo9m3cBiqSM+P1jFrjBp8PKx1KQvz9vhmSU3BBVuIDW3bDz+tLgZ7V2pMmVteArJg0guqA+zHnr78Vaj2i',
  'QKfssUOR7w73bBd5NMEDWN5+YKH870u07OLgFx1MTLGXQ/h5daNoTypbECZbqzhYtElwzvGJfEmgaDSEI5lEK5sO/G4ekijorkoOM4i/1hex',
  'jWlhSFbC4ohoRrvU0WPA8DbsAOAaEnsXowgbXDcI38yhwM2yKbUyW7diUx8qhUNkUwCNiXGlftuvfSv9yfKjtdwRtQI9uQa3',
])

/** `zstd -19 --check`. */
export const level19 = packed([
  'KLUv/WRbEL0mAPYlWhiAS9oASqWGje3b93GNyK6V3d07XfpGVC5qAE8ASQAGUQgSBoixQnKtf+sEcRgDQ+azKIkgWc7SMPnCrxeDwHHM4Smp',
  '4CSMwmKWpDEYKEweDwGFAjAHgTgEQ4bKYSSLQTFnSQDmyJGAQVEsDCMhCBLFJKqAcRwEoygAiEjDkNUpLJRjGIolkDwClqbOLMRcwnKpmqWx',
  '0He9JdvnJdZpXZWOuVtfW73+kvmJeWvWo/NaKbkQWA7ijmozuqV6+SwJmRml3iruIdZp0ZpL4iSSRZ3KSRAMDcqTA2lJduL99pxnl89CrFLN',
  '/0r1y7U9XD3Fe+/Ke2nptL9OL7FWjfW9lZJZ3nCv7MYzWyLhIike9au7qXeu3M0lQfUZ1l5fe7Z2c1JaSXQvfxPRdK/XwsKyolauFp1xE42q',
  'dv+1D62ONE31/dLXTzurSE93qklWqy713cwU1/5b7qXahH8punadht5br8632p9dL4HiqDGK5IIUJHWWzSEIAQORNDDZHREkTBtJMGNMwxgj',
  'refeF/tsos2fEgWoF3oRd0GWp94zSgIKhbv+reyYGZ2summAMm4T9MvZeHy2Wa9J3/rnAzI/Pvu7iNG/lgIHoE488/sJ2rTn1NV5WCyJv04U',
  'JOo4LFeIQh9n83+O/ww9BzUxki6C5slkKaWyALD+Ot+7sMrGN/6LCjNfKwCmUpqRDUUIZLkN9RQDjAVBb/7zmc64Mr0wPufaEnsR6tLtgJ4r',
  'PR3g6F7Ol2JqD8UoPWcNZCkMJ3sKhsfhUZXi0JBYAlzQwIi9NbDwIDT4klefUOfvkGG/ZdAUaQdInHIR1Tny3BiOaTpAqLgQNrU+vwDplkYd',
  'TL04VPFQKmQLkfs/2BsvjYPGAsEzd1pVpGn4rBxoV6LHvi3R46PWiBZK19x1bX7pTSQ74fh0fwKQJe9DBBPH6TAcbelqxwBOi2DvU6ENahV+',
  'KcVl4RO7o35z8VR8L8ZfcBiMFPXIQ2wyXKqNRIGd6PyIke5ZcJOpyYS5IZkM0CCaFYe9gYrLjo/08xzkR8G18X2Y+u0nI7jmFha3HhSMGIHQ',
  'zOzYha2BlOpDWZDCL3yLcbb3YS48o+joi5edfcRCAlxhDHMLrOvtt969tsI8in9cj5Ow4xZqG6WD8+wwjGUWLojjmf/obBGv+EaARU8A1fVN',
  '+TiHcHPX4JJQzzk1JlUjiy/HHRSIrjwefwnGrruhtyiudRIEg1bDhYwk7TZ96NAvVPd5LWBpBcJlTYwvUQOBwrlyGraSYGd350OrOVp5iMuJ',
  'rVEZ4bVLGKVIAqBa+HeWFEZlVAMs+7loib0Rw1+Ksek+MYrE57q/KHptWToRLNKaxbmbuDKQ/84HMVyDlxF8o1xsxebosB5vrE0jga7JDQ6J',
  'nmqC2T4NYN8Iaz0R4WnBfns6aTr5UXiSBAXJygz0MMOJIxfMrFpuSpt1WFuixIrq+E5jgN4tetUS9GI47MXaI66zt4I+IRqohIsZb+56HLRf',
  'GNTDyCEsk5/uRCAZe0BhbL0HQeLxOtMH4z4Q6kZCgR3SnQ0DXwZEgXTPcicSpvYv3zaxKhLyXGlk0dKNnQoCipe6M8hewHvdggIG043jyUgA',
  'voqLhVQuytpKFUvVUTp/bBPDRyOu7cO8TpvsY9BDtTwPVT25Brc=',
])

function packed(lines: readonly string[]): Buffer {
  return Buffer.from(lines.join(''), 'base64')
}

export interface MadeBlock {
  readonly kind: 'raw' | 'run' | 'packed'
  readonly size: number
  readonly content: Uint8Array
}

export const run = (byte: number, size: number): MadeBlock => ({ kind: 'run', size, content: Uint8Array.of(byte) })
export const raw = (content: Uint8Array): MadeBlock => ({ kind: 'raw', size: content.byteLength, content })

/** A frame of these blocks. @param windowCode the window descriptor: 0 is 1 KiB, 56 is 128 KiB, 104 is 8 MiB */
export function madeFrame(blocks: readonly MadeBlock[], windowCode = 56): Buffer {
  const parts = blocks.map(({ kind, size, content }, n) => {
    const word = (size << 3) | (['raw', 'run', 'packed'].indexOf(kind) << 1) | (n === blocks.length - 1 ? 1 : 0)
    return Buffer.concat([Buffer.from([word & 255, (word >> 8) & 255, word >> 16]), content])
  })
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, windowCode]), ...parts])
}
