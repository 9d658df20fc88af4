// size waiver: one list of data.
import { pieces } from './draw.ts'

/** Ordinary source, without any word of attacks. */
export const plainCodePieces: readonly string[] = pieces(String.raw`
def «id#1»(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a

print([«id#1»(i) for i in range(«num»)])
----
import pandas as pd
df = pd.read_csv("«id#1».csv")
print(df.groupby("city")["price"].mean().sort_values(ascending=False).head(«num»))
----
const total = «id#1».filter((x) => x.price > «num»).reduce((sum, x) => sum + x.price, 0)
console.log(total.toFixed(2))
----
async function load«Class#1»(id) {
  const res = await fetch('/api/«id#1»/' + id)
  if (!res.ok) throw new Error(res.status + ' ' + res.statusText)
  return res.json()
}
----
export function «Class#1»List({ items }) {
  const [open, setOpen] = useState(false)
  return (
    <ul onClick={() => setOpen(!open)}>
      {items.slice(0, open ? undefined : «num»).map((item) => <li key={item.id}>{item.name}</li>)}
    </ul>
  )
}
----
public record «Class#1»(int id, String name, double price) {
    public «Class#1» {
        if (price < 0) throw new IllegalArgumentException("price");
    }
}
----
var «id#1» = await db.«Class#1»s.Where(x => x.Year > 20«num»).OrderBy(x => x.Name).ToListAsync();
----
type «Class#1» struct {
	ID    int
	Name  string
	Price float64
}

func (o «Class#1») Total(tax float64) float64 { return o.Price * (1 + tax) }
----
let mut counts: HashMap<&str, usize> = HashMap::new();
for word in text.split_whitespace() {
    *counts.entry(word).or_insert(0) += 1;
}
println!("{:?}", counts.get("«id#1»"));
----
for (size_t i = 0; i < n; ++i) {
    sum += values[i];
    if (sum > limit«num») break;
}
----
SELECT city, COUNT(*) AS n, AVG(price) FROM «id#1» WHERE sold_at >= '20«num»-01-01' GROUP BY city HAVING COUNT(*) > 5 ORDER BY n DESC;
----
CREATE TABLE «id#1» (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  price numeric(10,2) CHECK (price >= 0)
);
CREATE INDEX ON «id#1» (name);
----
puts «Class#1».where(active: true).map(&:name).sort.first(«num»)
----
$ ls -la | sort -k5 -n | tail -«num»
$ grep -rn "«id#1»" src | wc -l
$ tar czf «id#1».tgz src && du -h «id#1».tgz
----
server {
  listen 80;
  server_name «id#1».example.org;
  location / { proxy_pass http://127.0.0.1:«num»00; }
}
----
<?php foreach ($«id#1» as $item): ?>
  <li><?= htmlspecialchars($item->name) ?></li>
<?php endforeach; ?>
----
fun «id#1»(xs: List<Int>): Int = xs.filter { it % 2 == 0 }.sumOf { it * it }
----
struct «Class#1»: Codable, Identifiable {
    let id: Int
    var name: String
}
----
x <- seq(0, «num», by = 0.1)
plot(x, sin(x), type = "l", main = "«id#1»")
----
.«id#1» { display: grid; grid-template-columns: repeat(auto-fill, minmax(«num»0px, 1fr)); gap: 1rem; }
----
IndexError: list index out of range
  File "«id#1».py", line «num», in <module>
    print(rows[len(rows)])
----
npm ERR! code ERESOLVE
npm ERR! Found: react@1«num».2.0
npm ERR! Could not resolve dependency: peer react@"^16" from «id#1»-ui@2.1.0
----
^(?:\+\d{1,3}[ -]?)?\d{3}[ -]?\d{3,4}[ -]?\d{2,«num»}$
----
=IFERROR(VLOOKUP(A2;«id#1»!$A$2:$D$«num»0;3;FALSE);"")
----
digraph «id#1» { rankdir=LR; start -> check -> pay -> ship; check -> start [label="retry «num»"]; }
----
main :: IO ()
main = interact (unlines . take «num» . map reverse . lines)
----
while true; do curl -s localhost:«num»00/health || echo down; sleep 5; done
----
query { «id#1»(first: «num») { edges { node { id name price } } } }
----
{"«id#1»": {"width": «num», "height": 40, "color": "#ffcc00", "tags": ["new", "sale"]}}
----
git rebase -i HEAD~«num»
git push --force-with-lease origin «id#1»
----
void setup() { pinMode(13, OUTPUT); Serial.begin(9600); }
void loop() { digitalWrite(13, HIGH); delay(«num»0); digitalWrite(13, LOW); delay(«num»0); }
----
it('adds prices of «id#1»', () => {
  expect(total([{ price: «num» }, { price: 1.5 }])).toBeCloseTo(«num» + 1.5)
})
`)
