import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes, part 3. */
export const english3: readonly string[] = lines(`
  Why do bees hum? Because they don't know the words.
  I bought a boat because it was for sail.
  My therapist says I have trouble letting go. I've known her for sixteen years.
  The shortest distance between two points is under construction.
  He who laughs last didn't get it at first.
  A clean desk is a sign of a full drawer.
  A bank is a place that will lend you money if you can prove that you don't need it.
  The trouble with being punctual is that nobody is there to appreciate it.
  Experience is the name everyone gives to their mistakes.
  Two wrongs don't make a right, but three lefts do.
  Hard work pays off later; laziness pays off now.
  The road to success is always under repair.
  If at first you don't succeed, skydiving is not for you.
  If at first you don't succeed, call it version 1.0.
  If you think nobody cares whether you're alive, try missing a couple of payments.
  If everything is going well, you have overlooked something.
  If it ain't broke, don't fix it.
  If it's stupid and it works, it isn't stupid.
  Where there is a will, there are relatives.
  Where there's smoke, there's my brother making toast.
  Some cause happiness wherever they go; others, whenever they go.
  The severity of the itch is inversely proportional to the reach.
  Nothing is as permanent as a temporary solution.
  Nothing is so simple that it cannot be misunderstood.
  A watched pot never boils; an unwatched one boils over.
  A good neighbour is one who has a ladder.
  A man with one clock knows the time; a man with two is never sure.
  A day without sunshine is like, you know, night.
  Time flies like an arrow; fruit flies like a banana.
  Silence is golden; duct tape is silver.
  Old age is always fifteen years older than I am.
  Children are a great comfort in your old age, and they help you reach it faster, too.
  Diplomacy is the art of letting someone else have your way.
  The brain is a wonderful organ; it starts working when you get up and does not stop until you get to the office.
  Change is inevitable, except from a vending machine.
  My bed and I love each other, but the alarm clock won't accept it.
  I'm not arguing, I'm just explaining why I'm right.
  I don't need a hair stylist; my pillow gives me a new hairstyle every morning.
  I finally got eight hours of sleep. It took me three days, but whatever.
  I don't have a short attention span, I just... oh, look, a squirrel!
  I asked the librarian if they had books about paranoia. She whispered: they're right behind you.
  I stayed up all night wondering where the sun went, and then it dawned on me.
  My boss told me to have a good day, so I went home.
  My accountant told me to stop spending money on sleeping bags. I told him I'd sleep on it.
  My phone battery lasts longer than most of my new year's resolutions.
  A photon checks into a hotel. "Any luggage?" "No, I'm travelling light."
  A neutron walks into a bar. "How much for a drink?" "For you, no charge."
  A horse walks into a bar. "Why the long face?" asks the barman.
  A tester walks into a bar and orders a beer, 0 beers, 999999999 beers, a lizard, and -1 beers.
  Three statisticians go hunting. One shoots a metre left, one a metre right, and the third shouts: we got it!
  An engineer, a physicist and a mathematician see a black sheep in Scotland.
  Helium walks into a bar. The bartender says: we don't serve noble gases here. Helium doesn't react.
  Schrödinger's cat walks into a bar and doesn't.
  Git commit -m "final fix". Git commit -m "final final fix". Git commit -m "please work".
  In theory there is no difference between theory and practice; in practice there is.
  Documentation is like a love letter to your future self.
  There is no test like production.
  The best error message is the one that never shows up.
  Computers are fast; developers keep them slow.
  Software is like entropy: hard to grasp, weighs nothing, and always increases.
  A user interface is like a joke: if you have to explain it, it's not that good.
  The best way to get the right answer on the internet is to post the wrong one. (Cunningham's law)
  Ctrl + C, Ctrl + V: the national anthem of our department.
  sudo make me a sandwich
  Roses are #FF0000, violets are #0000FF, all my base are belong to you.
  If at first you don't succeed, read the log; if you do, read the log anyway.
  Please do not reboot the coffee machine during business hours. It remembers.
  The printer is not broken, it is on strike.
  The server room is locked. The key is in the server room.
  This page intentionally left blank.
  Backup day is the day before the day you need it.
  Password hint: the name of the dog you wanted, not the one you got.
  Admin's prayer: let it be the cable.
  The system was down, so we talked to each other. They seem like nice people.
  The new guy deleted the test database. It was not the test database.
  Homework machine, oh the homework machine, it does sums wrong but its buttons are clean.
  Teacher's note: Ben is a pleasure to teach when absent.
  Report card: shows great imagination, mostly in arithmetic.
  The exam had one question: why? He wrote: why not? He got a B.
  In school I learned that the mitochondrion is the powerhouse of the cell, and not how to do taxes.
  Class of 1988 reunion: bring a dish and a photo without a mustache.
  On Wednesdays the canteen serves fish; on Thursdays the canteen serves yesterday.
  Yesterday I was clever and wanted to change the world. Today I changed the bulb.
  Grandpa's advice: listen twice, answer once, and keep your boots dry.
  Mother used to say that an umbrella left at home brings rain.
  Never eat more than you can lift, said Miss Piggy.
  Always read the small print, especially on ladders.
  Always keep your words soft and sweet, just in case you have to eat them.
  Always leave the campsite cleaner than you found it.
  Never iron a four-leaf clover; you'll press your luck.
  Never go to a doctor whose office plants have died.
  Never test the depth of the river with both feet.
  Never ask a barber whether you need a haircut.
  Never say never, except twice in this sentence.
  Forget me not, said the flower; I never do, said the gardener.
  Forget what they told you about the moon: it is further away than your keys.
  Remember, remember the fifth of November.
  Remember the milk. Remember the eggs. Remember where the list is.
  Rules for cats: 1. If it moves, chase it. 2. If it doesn't, push it off the table.
  Rules for a long marriage: she is right, you are sorry, dinner is at seven.
  My rules for Sunday: no shoes, no e-mail, no second thoughts.
  Dad's rule for the car: whoever drives picks the music, and whoever complains walks.
  The game has only one rule, and nobody is allowed to say what it is.
  She followed every rule in the book, and then she closed the book.
  He never broke a rule, a promise, or a sweat.
  The instruction said "some assembly required". It did not say that "some" meant a weekend.
  Assembly instructions, page 4 of 3.
  Step one: open the box. Step two: cry.
  "Insert tab A into slot B," read my father, holding tab C.
  The prompt book of the 1889 production still smells of gas light.
  The override lever on the 1950s lift was painted red and labelled "never".
  The guard at the old prison museum lets every visitor out personally.
  Our hamster has escaped again; this was his fourth jailbreak since Easter.
  Harry Houdini could get out of any box except his contract.
  Nobody expects a unicycle.
  Nobody puts the bin out in this house but me.
  The dog has learned to open the fridge. We have learned to eat out.
  The goose chased the postman, the postman chased the bus.
  Our cat is called System, because she crashes every evening.
  The parrot next door has learned to imitate the doorbell, the phone and my mother-in-law.
  Three weeks of drizzle, and the tomatoes look like a court summons.
  Sunny, 24 degrees, light breeze: the whole office has a dentist appointment.
  High tide 06:12 and 18:40; swim between the flags.
  Winds light and variable, like the opinions of my brother.
  The river stood at 2.31 m at noon and is falling.
  Kick-off 15:00, gates open 13:30, no glass bottles.
  Third place after a photo finish: the horse was looking the other way.
  Our goalkeeper saved everything on Sunday, including the sausages.
  The visiting team forgot their shirts and won in pyjamas.
  Score after nine innings: Owls 4, Larks 4, mosquitoes 212.
  May your coffee be strong and your Monday be short.
  May the road rise up to meet you, may the wind be always at your back. — Irish blessing
  Happy birthday to the only person who still writes cheques.
  Get well soon; the plants miss you and the cat does not.
  Congratulations on your retirement: every day is Saturday now, except Sunday.
  Here lies Tom Pike, who ignored the sign.
  Epitaph of a waiter: by and by God caught his eye.
  1 April: the office plants have been promoted.
  31 December: last walk of the year, first snow, lost one glove.
  Summer 1969: we watched the moon and Grandma watched the soup.
  Act II, scene 1. A kitchen. Enter the cook, pursued by an onion.
  Narrator: he did not, in fact, have it under control.
  Chapter one, in which nothing happens, but very elegantly.
  The end is where we start from.
  And they lived happily ever after, apart from the usual arguments about the heating.
  To be continued, weather permitting.
  What happens in the book club stays in the book club.
  The first draft of anything needs a bigger wastebasket.
  An editor is a person who separates the wheat from the chaff and prints the chaff.
  Poets have been mysteriously silent on the subject of cheese. — G. K. Chesterton
  Brevity is the soul of wit. — William Shakespeare
  The fault, dear Brutus, is not in our stars. — William Shakespeare
  All the world's a stage, and all the men and women merely players. — William Shakespeare
  Some are born great, some achieve greatness, and some have greatness thrust upon them.
  Better three hours too soon than a minute too late.
  It is a truth universally acknowledged that the last biscuit belongs to nobody. — after Jane Austen
  Happy families are all alike; every unhappy family is unhappy in its own way. — Leo Tolstoy
  No man is an island. — John Donne
  If music be the food of love, who ordered the accordion?
  I met a traveller from an antique land who said: your train leaves from platform nine.
  Power naps corrupt, and absolute power naps corrupt absolutely.
  Free your mind and the rest will follow, except the car keys.
  Break the chain, said the sign in the bicycle shop, and we'll replace it for ten pounds.
  Off the record: the record player is broken.
  No strings attached, said the puppet, and fell over.
  Speak freely, said the king, and the hall went quiet.
  Say yes to the dress and no to the shoes.
  Answer the phone, ignore the phone, lose the phone: a love story in three acts.
  The opposite of a great truth is another great truth.
  The secret of getting ahead is getting started.
  The secret ingredient is always butter.
  The secret to a long life: keep breathing. — Edna, 101
  The password was "swordfish", as it always is in old films.
  The hidden door in the library leads to the other half of the library.
  The ghost light stays on all night in an empty theatre.
  The elevator is out of order; the stairs are in order, but there are 214 of them.
  The museum is closed on Mondays, the café is closed on reality.
  The town band plays at noon whether you like it or not.
  The mayor promised a bridge, then a river to go with it.
  The oldest profession is gossip.
  The bus was late, so I was on time.
  The moon does not heed the barking of dogs.
`)
