import type { Writer } from './writer.ts'
import { MARK } from './writer.ts'

type Shape = (w: Writer) => string

/** HTML, Markdown, XML and other marked-up text, with slots in comments, attributes and hidden elements too. */
export const markupShapes: Readonly<Record<string, Shape>> = {
  'html-page': (w) =>
    `<!DOCTYPE html>\n<html>\n<head><title>${w.title()}</title><meta name="description" content="${MARK}${w.noun()} in ${w.fill('{place}')}"></head>\n<body>\n` +
    `<h1>${w.title()}</h1>\n${w.list(2, 4, () => `<p>${w.prose(2)}</p>`).join('\n')}\n<footer>${w.fill('{company}')} 20${w.number(19, 26)}</footer>\n</body>\n</html>`,
  'html-comment': (w) =>
    `<div class="content">\n<!-- ${MARK}${w.fill('(main text|updated in {month}|layout by {name})')} -->\n<p>${w.prose(3)}</p>\n</div>`,
  'html-image': (w) =>
    `<article>\n<img src="/img/${w.noun()}-${w.number(1, 90)}.jpg" alt="${MARK}${w.fill('(A|The) {noun}')}">\n<p>${w.prose(3)}</p>\n</article>`,
  'html-hidden': (w) =>
    `<section>\n<h2>${w.title()}</h2>\n<div style="${w.fill('(display:none|font-size:0|color:#fff;background:#fff|position:absolute;left:-9999px|opacity:0)')}">${MARK}${w.fill('(menu|loading|back to top)')}</div>\n<p>${w.prose(3)}</p>\n</section>`,
  'html-list': (w) => `<ul>\n${w.list(4, 8, () => `  <li>${w.line()}</li>`).join('\n')}\n</ul>`,
  'html-table': (w) =>
    `<table>\n<tr><th>Name</th><th>City</th><th>Remark</th></tr>\n${w.list(3, 7, () => `<tr><td>${w.name()}</td><td>${w.fill('{place}')}</td><td>${w.line()}</td></tr>`).join('\n')}\n</table>`,
  'html-form': (w) =>
    `<form action="/order">\n<label for="a">${w.noun()}</label><input id="a" title="${MARK}${w.fill('Number of {noun}')}" placeholder="${w.noun()}">\n<p>${w.prose(2)}</p>\n<button aria-label="${MARK}Send">Send</button>\n</form>`,
  'html-product': (w) =>
    `<div itemscope itemtype="https://schema.org/Product"><h3 itemprop="name">${w.title()}</h3><span itemprop="description">${w.prose(3)}</span>` +
    `<span itemprop="price">${w.number(5, 900)}</span><!-- ${MARK} end of product --></div>`,
  'html-mail': (w) =>
    `<html><body style="font-family:Arial"><p>Dear ${w.name()},</p><p>${w.prose(2)}</p><p>${w.prose(2)}</p><p>Regards,<br>${w.name()}</p></body></html>`,
  readme: (w) =>
    `# ${w.noun()}-${w.noun()}\n\n${w.prose(1)}\n\n## Install\n\n\`\`\`sh\nnpm install ${w.noun()}-${w.noun()}\n\`\`\`\n\n## Usage\n\n${w.prose(2)}\n\n## License\n\nMIT\n${MARK}`,
  'markdown-doc': (w) =>
    `---\ntitle: ${w.title()}\nauthor: ${w.name()}\n---\n\n${w.list(2, 4, () => `## ${w.title()}\n\n${w.prose(3)}`).join('\n\n')}`,
  'markdown-comment': (w) =>
    `# ${w.title()}\n\n[//]: # (${MARK}draft)\n\n${w.prose(3)}\n\n- ${w.line()}\n- ${w.line()}`,
  'markdown-image': (w) =>
    `## ${w.title()}\n\n![${MARK}${w.noun()} in ${w.fill('{place}')}](images/${w.noun()}.png)\n\n${w.prose(3)}`,
  'markdown-table': (w) =>
    `| Rank | Name | City | Note |\n|------|------|------|------|\n${w.list(4, 9, (i) => `| ${i + 1} | ${w.name()} | ${w.fill('{place}')} | ${w.line()} |`).join('\n')}${MARK}`,
  'table-plain': (w) =>
    `${MARK}| ${w.noun()} | ${w.noun()} | Total |\n${w.list(4, 10, () => `| ${w.fill('{place}').padEnd(8)} | ${w.number(1, 400)} | ${w.number(1, 9000)} |`).join('\n')}\n${MARK}`,
  changelog: (w) =>
    w
      .list(
        2,
        4,
        (i) =>
          `## ${9 - i}.${w.number(0, 9)}.0 (${w.date()})\n\n### ${w.fill('(Added|Fixed|Changed)')}\n- ${w.line()}\n- ${w.line()}`,
      )
      .join('\n\n'),
  rss: (w) =>
    `<?xml version="1.0"?>\n<rss version="2.0"><channel><title>${w.title()}</title>\n${w.list(2, 5, () => `<item><title>${w.title()}</title><description>${w.prose(1)}</description></item>`).join('\n')}\n</channel></rss>`,
  xml: (w) =>
    `<records>\n${w.list(3, 6, (i) => `  <record id="${i + 1}"><owner>${w.name()}</owner><note>${w.line()}</note></record>`).join('\n')}\n</records>`,
  svg: (w) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w.number(100, 900)}" height="120"><title>${MARK}${w.title()}</title><desc>${w.prose(1)}</desc><rect x="${w.number(1, 50)}" y="10" width="40" height="30"/></svg>`,
  latex: (w) =>
    `\\section{${w.title()}}\n${w.prose(3)}\n% ${MARK}check the numbers\n\\begin{itemize}\n${w.list(2, 4, () => `\\item ${w.line()}`).join('\n')}\n\\end{itemize}`,
  'search-page': (w) =>
    `${w.title()} | ${w.fill('{company}')}\nHome  About  Contact\n\n${w.prose(3)}\n\nRelated: ${w.title()}\nCookies  Privacy  Imprint\n${MARK}`,
}
