import type { Writer } from './writer.ts'

type Shape = (w: Writer) => string

const paragraphs = (w: Writer, low: number, high: number): string => w.list(low, high, () => w.prose(3)).join('\n\n')

/** Running text: articles, reports, manuals, transcripts of speech. */
export const proseShapes: Readonly<Record<string, Shape>> = {
  plain: (w) => w.prose(4),
  article: (w) => `${w.title()}\n\n${paragraphs(w, 2, 4)}`,
  news: (w) =>
    `${w.title()}\n${w.fill('{place}, {month} {n}')} - ${w.prose(3)}\n\n${paragraphs(w, 1, 3)}\n\nReporting by ${w.name()}`,
  press: (w) =>
    `FOR IMMEDIATE RELEASE\n\n${w.fill('{company}')}: ${w.title()}\n\n${w.prose(3)}\n\n"${w.sentence()}" said ${w.name()}, ${w.fill('(CEO|founder|spokesperson)')}.\n\n${w.prose(2)}\n\n###`,
  report: (w) =>
    `${w.title()}\n\n${w.list(2, 4, (i) => `${i + 1} ${w.fill('(Introduction|Method|Results|Discussion|Summary|Background)')}\n${w.prose(3)}`).join('\n\n')}`,
  'pdf-page': (w) =>
    `${w.title()}                                        Page ${w.number(1, 40)}\n\n${w.prose(5).replace(/(.{60,80}) /g, '$1\n')}\n\n${w.fill('(c) {company}')}`,
  abstract: (w) => `Abstract. ${w.prose(4)}\nKeywords: ${w.noun()}, ${w.noun()}, ${w.noun()}`,
  wiki: (w) =>
    `${w.title()} is about the ${w.noun()}. ${w.prose(3)}\n\n== History ==\n${w.prose(3)}\n\n== See also ==\n* ${w.title()}`,
  faq: (w) =>
    w
      .list(
        3,
        6,
        () =>
          `${w.fill('(How do I change|Where is|What happens to|Who checks|Can I return) the {noun}?')}\n${w.prose(1)}`,
      )
      .join('\n\n'),
  recipe: (w) =>
    `${w.title()}\nServes ${w.number(2, 8)}\n\nIngredients:\n${w.list(3, 6, () => `- ${w.number(1, 500)} g ${w.fill('(flour|sugar|butter|rice|tomatoes|beans)')}`).join('\n')}\n\nMethod:\n${w.list(3, 5, (i) => `${i + 1}. ${w.prose(1)}`).join('\n')}`,
  manual: (w) =>
    `${w.fill('Model {n}')}-${w.number(100, 900)} user manual\n\nWarning: ${w.sentence()}\n\n${w.list(3, 6, (i) => `Step ${i + 1}. ${w.fill('(Press|Open|Remove|Check|Turn|Close)')} the ${w.noun()}. ${w.prose(1)}`).join('\n')}`,
  contract: (w) => w.list(3, 6, (i) => `${i + 1}. ${w.title().toUpperCase()}\n${i + 1}.1 ${w.prose(2)}`).join('\n\n'),
  notes: (w) => w.list(4, 9, () => `- ${w.line()}`).join('\n'),
  checklist: (w) => `${w.title()}\n${w.list(4, 8, () => `[${w.fill('(x| )')}] ${w.line()}`).join('\n')}`,
  diary: (w) => w.list(2, 4, () => `${w.fill('{day}, {n} {month}')}\n${w.prose(3)}`).join('\n\n'),
  story: (w) => `${w.name()} stood at the window. ${paragraphs(w, 2, 3)}\n\n"${w.sentence()}" said ${w.name()}.`,
  itinerary: (w) => w.list(3, 6, (i) => `Day ${i + 1}: ${w.fill('{place}')}\n${w.prose(2)}`).join('\n'),
  'context-question': (w) =>
    `Context: ${w.prose(4)}\n\nQuestion: ${w.fill('(What|When|Why|Who)')} ${w.fill('(changed with|was said about|is known of)')} the ${w.noun()}?`,
  subtitles: (w) =>
    w
      .list(
        5,
        9,
        (i) =>
          `${i + 1}\n00:00:${String(10 + i * 3).padStart(2, '0')},000 --> 00:00:${String(12 + i * 3).padStart(2, '0')},500\n${w.line()}`,
      )
      .join('\n\n'),
  captions: (w) =>
    `WEBVTT\n\n${w.list(5, 9, (i) => `00:${String(i + 10).padStart(2, '0')}.000 --> 00:${String(i + 11).padStart(2, '0')}.000\n${w.line()}`).join('\n\n')}`,
  'product-page': (w) =>
    `${w.title()}\n$${w.number(9, 900)}.99  In stock\n\n${w.prose(3)}\n\nSpecifications\nWeight: ${w.number(1, 40)} kg\nColor: ${w.fill('(black|white|green|red)')}\n\n${w.prose(1)}`,
  listing: (w) =>
    `${w.fill('(Flat|House|Room|Studio)')} in ${w.fill('{place}')}, ${w.number(20, 180)} m2\n${w.prose(3)}\nContact: ${w.name()}, ${w.mail()}`,
  'search-snippets': (w) =>
    w
      .list(
        3,
        6,
        (i) =>
          `[${i + 1}] ${w.title()} - ${w.fill('{company}')}\nhttps://www.example.com/${w.noun()}/${w.number(1, 99)}\n${w.prose(1)}`,
      )
      .join('\n\n'),
  glossary: (w) => w.list(4, 8, () => `${w.noun()}: ${w.line()}`).join('\n'),
}
