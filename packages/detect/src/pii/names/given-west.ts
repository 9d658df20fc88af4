// size waiver: one list of data.
/** Given names of western, northern and southern Europe and of the countries that share their languages. */
export const givenWest = `
Aaron Abbie Abby Abel Abigail Abraham Ada Adam Addison Adela Adelaide Adele Adeline Adrian Adrienne Aidan Aiden Ailsa
Aimee Alan Alana Alastair Albert Alec Alex Alexa Alexander Alexandra Alexandria Alexis Alfie Alfred Alice Alicia Alisha
Alison Alissa Alistair Allan Allen Allison Alma Alonzo Althea Alvin Alyssa Amanda Amber Amelia Amos Amy Anastasia Andre
Andrea Andrew Andy Angela Angelica Angelina Angus Anita Ann Anna Annabel Annabelle Anne Annette Annie Anthony Antoinette
Antonia April Arabella Archibald Archie Ariana Arianna Ariel Arlene Arnold Arthur Asa Asher Ashlee Ashleigh Ashley Ashton
Aubrey Audrey August Augustus Aurora Austin Autumn Ava Avery Barbara Barnaby Barney Barry Bart Basil Beatrice Beatrix
Becky Belinda Bella Ben Benedict Benjamin Bennett Bernadette Bernard Bernice Bert Bertha Bertram Bess Bessie Beth Bethan
Bethany Betsy Betty Beverley Beverly Bianca Bill Billie Billy Blaine Blair Blake Blanche Bob Bobbie Bobby Bonnie Boyd
Brad Braden Bradford Bradley Brady Brandi Brandon Brandy Breanna Brenda Brendan Brendon Brenna Brent Brett Brian Briana
Brianna Bridget Britney Brittany Brock Brooke Brooklyn Bruce Bruno Bryan Bryant Bryce Bryn Bryony Buddy Byron Caden Cain
Caitlin Caitlyn Caleb Callie Callum Calum Calvin Cameron Camilla Camille Candace Candice Candy Cara Caren Carey Carissa
Carl Carla Carlton Carly Carlyle Carmel Carmen Carol Carole Caroline Carolyn Carrie Carter Casey Cassandra Cassidy Cassie
Catherine Cathy Catriona Cecil Cecilia Cecily Cedric Celeste Celia Celine Chad Chandler Chantal Chantelle Charity Charlene
Charles Charlie Charlotte Charmaine Chase Chelsea Cheryl Chester Chloe Chris Chrissie Christa Christian Christiana
Christina Christine Christopher Christy Chuck Cindy Claire Clara Clare Clarence Clarissa Clark Claude Claudette Claudia
Clay Clayton Clement Cleo Cliff Clifford Clifton Clint Clinton Clive Clyde Cody Colby Cole Colette Colin Colleen Collin
Conner Connie Connor Conor Conrad Constance Cooper Cora Coral Cordelia Corey Corinne Cornelia Cornelius Cory Courtney Craig
Cristina Crystal Curtis Cynthia Cyril Cyrus Daisy Dakota Dale Dallas Dalton Damian Damien Damon Dan Dana Dane Daniel
Daniella Danielle Danny Daphne Darcy Daren Darin Darla Darlene Darnell Darrell Darren Darryl Darwin Daryl Dave David Davina
Dawn Dawson Dean Deana Deandre Deanna Debbie Deborah Debra Declan Dee Deidre Deirdre Delbert Delia Delilah Della Delores
Delroy Demetrius Dena Denis Denise Dennis Denny Denzel Derek Derick Derrick Desmond Destiny Devin Devon Dexter Diana Diane
Dianna Dianne Dick Diego Dillon Dina Dinah Dion Dirk Dolly Dolores Dominic Dominick Dominique Don Donald Donna Donnie Donovan
Dora Doreen Dorian Doris Dorothea Dorothy Dory Doug Dougal Douglas Doyle Drake Drew Duane Dudley Duke Duncan Dustin Dwayne
Dwight Dylan Eamon Earl Earnest Ebony Ed Eddie Eden Edgar Edith Edmond Edmund Edna Eduardo Edward Edwin Edwina Effie Egbert
Eileen Eilidh Elaine Eleanor Elena Eli Elijah Elinor Eliot Elisa Elisabeth Elise Elisha Eliza Elizabeth Ella Elle Ellen
Ellie Elliot Elliott Ellis Elmer Elmo Eloise Elsa Elsie Elspeth Elton Elvin Elvira Elvis Elwood Emanuel Emerson Emery Emil
Emilia Emily Emma Emmanuel Emmett Emory Enid Enoch Eric Erica Erick Erik Erika Erin Erma Ernest Ernestine Ernie Errol Esme
Esmeralda Esther Ethan Ethel Etta Eugene Eugenia Eunice Eva Evan Evangeline Eve Evelyn Everett Ewan Ezekiel Ezra Fabian
Faith Fallon Fanny Fay Faye Felicia Felicity Felix Fergus Fern Fernando Finlay Finley Finn Fiona Fletcher Flora Florence
Floyd Forrest Frances Francesca Francine Francis Frank Frankie Franklin Fraser Fred Freda Freddie Freddy Frederic Frederica
Frederick Freya Gabriel Gabriela Gabriella Gabrielle Gail Gareth Garfield Garrett Garry Garth Gary Gavin Gayle Gemma Gena
Gene Geneva Genevieve Geoff Geoffrey George Georgia Georgie Georgina Gerald Geraldine Gerard Germaine Gerry Gertrude Gideon
Gilbert Giles Gillian Gina Ginger Gladys Glen Glenda Glenn Glenys Gloria Gordon Grace Gracie Graeme Graham Grant Grayson
Greg Gregg Gregory Greta Gretchen Griffin Griffith Grover Guinevere Gus Guy Gwen Gwendolen Gwendolyn Gwyneth Hadley Hailey
Haley Hamish Hannah Harley Harmony Harold Harper Harriet Harrison Harry Harvey Hattie Hayden Hayley Hazel Heath Heather
Hector Heidi Helen Helena Henrietta Henry Herbert Herman Hilary Hilda Hillary Holly Homer Hope Horace Howard Hubert Hudson
Hugh Hugo Humphrey Hunter Ian Ida Ignatius Ike Imogen Ina Ines Ingrid Iona Ira Irene Iris Irma Irvin Irving Irwin Isaac
Isabel Isabella Isabelle Isadora Isaiah Isla Israel Ivan Ivor Ivy Jack Jackie Jackson Jaclyn Jacob Jacqueline Jacquelyn Jade
Jaden Jaime Jake Jamal James Jameson Jamie Jan Jane Janelle Janet Janice Janie Janine Janis Jared Jarrod Jarvis Jasmin
Jasmine Jason Jasper Jay Jayden Jayne Jayson Jean Jeanette Jeanie Jeanne Jeannie Jed Jeff Jefferson Jeffery Jeffrey Jemima
Jenifer Jenna Jennie Jennifer Jenny Jerald Jeremiah Jeremy Jermaine Jerome Jerry Jess Jesse Jessica Jessie Jethro Jewel Jill
Jillian Jim Jimmie Jimmy Jo Joan Joann Joanna Joanne Jocelyn Jodi Jodie Jody Joe Joel Joey Johanna John Johnathan Johnnie
Johnny Jolene Jon Jonah Jonas Jonathan Joni Jordan Joseph Josephine Josh Joshua Josiah Josie Joy Joyce Juanita Judah Judd
Jude Judith Judy Jules Julia Julian Juliana Julianna Julianne Julie Julien Juliet Juliette Julius June Justin Justine Kaitlin
Kaitlyn Kara Karen Kari Karin Karina Karl Karla Kasey Kate Katelyn Katherine Kathleen Kathryn Kathy Katie Katrina Katy Kay
Kayla Kayleigh Keaton Keegan Keira Keith Kelley Kelli Kellie Kelly Kelsey Kelvin Ken Kendall Kendra Kendrick Kenneth Kenny
Kent Kenya Kerri Kerry Kevin Kiara Kieran Kiley Kim Kimberley Kimberly Kirk Kirsten Kirstie Kirsty Kit Kitty Krista Kristen
Kristi Kristie Kristin Kristina Kristine Kristopher Kristy Krystal Kurt Kurtis Kyle Kylie Kyra Lacey Lachlan Lamar Lana Lance
Landon Lara Larissa Larry Latasha Latoya Laura Laurel Lauren Laurence Laurie Lavinia Lawrence Layla Lea Leah Leander Leanne
Lee Leigh Leila Leland Lena Lenore Leo Leon Leona Leonard Leonora Leopold Leroy Lesley Leslie Lester Leticia Levi Lewis Lexi
Liam Libby Lila Lilian Lillian Lillie Lily Lincoln Linda Lindsay Lindsey Linette Linus Lionel Lisa Liz Liza Lizzie Lloyd Lois
Lola London Lonnie Lora Loren Lorena Lorene Loretta Lori Lorna Lorraine Lottie Lou Louie Louis Louisa Louise Lowell Lucas
Lucian Lucille Lucinda Lucy Luke Lulu Luther Lydia Lyle Lyndon Lynette Lynn Lynne Mabel Mackenzie Maddison Maddie Madeleine
Madeline Madison Mae Maeve Magdalena Maggie Maisie Malachi Malcolm Malik Mallory Mamie Mandy Marc Marcia Marcus Margaret Margery
Margie Margo Margot Marguerite Maria Mariah Marian Marianne Marie Marilyn Marina Marion Marisa Marissa Marjorie Mark Marla
Marlene Marlon Marsha Marshall Martha Martin Martina Marty Marvin Mary Maryann Mason Mathew Matilda Matt Matthew Maude Maura
Maureen Maurice Mavis Max Maxine Maxwell May Maya Mckenzie Megan Meghan Mel Melanie Melinda Melissa Melody Melvin Mercedes Mercy
Meredith Merle Merlin Mervyn Mia Micah Michael Michaela Micheal Michele Michelle Mick Mickey Mike Milan Mildred Miles Millicent
Millie Milo Milton Mina Mindy Minnie Miranda Miriam Misty Mitchell Moira Mollie Molly Mona Monica Monique Monroe Monty Morgan
Morris Mortimer Moses Moyra Muriel Murray Myles Myra Myrna Myron Myrtle Nadia Nadine Nancy Naomi Natalia Natalie Natasha Nate
Nathan Nathaniel Neal Ned Neil Nell Nellie Nelson Nettie Neville Niall Niamh Nicholas Nichole Nick Nicky Nicola Nicolas Nicole
Nigel Nina Noah Noel Noelle Nolan Nora Noreen Norma Norman Norris Octavia Odette Olga Olive Oliver Olivia Ollie Oonagh Opal
Ophelia Oprah Orla Orlando Orville Oscar Oswald Otis Otto Owen Paige Pam Pamela Paris Parker Pat Patience Patricia Patrick
Patsy Patti Patty Paul Paula Paulette Pauline Pearl Peggy Penelope Penny Percy Perry Pete Peter Petra Petula Philip Philippa
Phillip Phoebe Phoenix Phyllis Pippa Piers Polly Poppy Porter Preston Primrose Priscilla Prudence Queenie Quentin Quincy Quinn
Quinton Rachael Rachel Rae Ralph Ramona Randall Randolph Randy Raphael Raquel Raven Ray Raymond Reagan Rebecca Rebekah Reed Reese
Reggie Regina Reginald Reid Rena Renee Reuben Rex Rhiannon Rhoda Rhona Rhonda Rhys Ricardo Rich Richard Rick Rickey Ricky Riley
Rita River Rob Robbie Robert Roberta Robin Robyn Rochelle Rocky Rod Roderick Rodney Roger Roland Rolf Roman Romeo Ron Ronald Ronan
Ronda Ronnie Rory Rosa Rosalie Rosalind Rosalyn Rosamund Rosanna Rose Rosemarie Rosemary Rosie Ross Rowan Rowena Roxanne Roy Ruben
Ruby Rudolph Rudy Rufus Rupert Russ Russell Rusty Ruth Ryan Ryder Sabrina Sadie Sallie Sally Sam Samantha Sammy Samson Samuel
Sandra Sandy Sara Sarah Sasha Saul Savannah Sawyer Scarlett Scott Sean Sebastian Selena Selina Selma Serena Seth Seymour Shana Shane
Shania Shannon Shari Sharon Shaun Shauna Shawn Shawna Sheena Sheila Shelby Sheldon Shelia Shelley Shelly Sheri Sherman Sherri
Sherry Sheryl Shirley Sian Sibyl Sidney Sienna Sierra Silas Silvia Simon Simone Sinead Siobhan Skye Skylar Sofia Sonia Sonja Sonya
Sophia Sophie Spencer Stacey Staci Stacie Stacy Stan Stanley Stella Stephan Stephanie Stephen Sterling Steve Steven Stewart Stuart
Sue Summer Susan Susanna Susannah Susanne Susie Suzanne Suzette Sybil Sydney Sylvester Sylvia Tabitha Talia Tamara Tamika Tammy
Tania Tanya Tara Tasha Tate Taylor Ted Teddy Terence Teresa Teri Terrance Terrell Terrence Terri Terry Tess Tessa Thaddeus Thea
Thelma Theo Theodora Theodore Theresa Thomas Tia Tiffany Tim Timothy Tina Toby Todd Tom Tommy Toni Tony Tonya Tracey Traci Tracie
Tracy Travis Trent Trenton Trevor Tricia Trina Trinity Tristan Troy Trudy Tucker Tyler Tyrone Tyson Una Ursula Valerie Vance Vanessa
Vaughan Vaughn Velma Vera Verity Vernon Veronica Vicki Vickie Vicky Victor Victoria Vince Vincent Viola Violet Virgil Virginia Vivian
Vivien Vivienne Wade Wallace Wally Walter Wanda Warren Wayne Wendell Wendy Wesley Whitney Wilbert Wilbur Wilfred Will Willa Willard
William Willie Willis Willow Wilma Wilson Winfred Winifred Winnie Winston Winona Woodrow Wyatt Xander Xavier Yasmin Yolanda Yvette
Yvonne Zachariah Zachary Zack Zane Zara Zelda Zoe Zoey Aoife Ciara Cian Ciaran Cillian Darragh Eoin Eoghan Fionn Fionnuala Grainne
Oisin Padraig Roisin Ruairi Saoirse Seamus Sorcha Tadhg Aneirin Angharad Carys Dafydd Dilys Ffion Gethin Gwilym Huw Ieuan Iolo Iwan
Lowri Llewelyn Mair Megan Nerys Rhodri Sioned Tegan Tomos Deon DeShawn Lakisha Latisha Tyrell Tamsin Kerenza
Achim Adelheid Agnes Albrecht Alfons Almut Alois Aloisia Andreas Anette Angelika Anja Anke Anneliese Annegret Annemarie Annika Ansgar
Antje Armin Arne Arno Astrid Axel Balthasar Barbel Bärbel Bastian Beate Benedikt Benno Bernd Bernhard Berta Berthold Bettina Birgit
Birgitta Birte Björn Bodo Boris Brigitte Brunhilde Burkhard Carina Carla Carsten Christel Christiane Christoph Clemens Constantin
Constanze Cordula Corinna Cornelia Dagmar Daniela Detlef Detlev Dieter Dietmar Dietrich Doreen Dörte Eberhard Eckhard Edeltraud Edelgard
Egon Ehrenfried Elfriede Elke Ellinor Elmar Else Emil Emmerich Erhard Erich Ernst Erwin Eugen Ewald Falk Ferdinand Florian Frauke
Frida Frieda Friedemann Friederike Friedhelm Friedrich Fritz Gabi Gabriele Georg Gerda Gerhard Gerlinde Gernot Gero Gerold Gert Gesa
Gesine Gisela Gottfried Götz Gregor Gudrun Guido Gundula Günter Günther Gustav Hanna Hannelore Hannes Hanno Hans Harald Hartmut Hartwig
Hedwig Heike Heiko Heiner Heinrich Heinz Helene Helga Helge Hellmut Helmut Hendrik Henning Henriette Henrik Herbert Heribert Hermann
Hermine Herta Hilde Hildegard Hiltrud Holger Horst Hubertus Ignaz Ilona Ilse Imke Ina Inga Inge Ingeborg Ingo Ingolf Inka Irmgard
Irmtraud Isolde Jana Janina Jannik Jasmin Jens Joachim Jobst Jochen Johann Johannes Jonas Jörg Jörn Josef Josefine Judith Julia Jürgen
Jutta Kai Karin Karl Karla Karsten Kaspar Katharina Käthe Kathrin Katja Katrin Kerstin Kilian Klara Klaus Knut Konrad Konstantin
Korbinian Kornelia Kunigunde Kurt Lars Laurenz Leni Lennart Leonhard Leonie Liesel Lieselotte Lina Lorenz Lothar Lotte Lucia Ludger
Ludwig Luisa Luise Lukas Lutz Magda Magdalena Malte Manfred Manuela Marcel Marco Mareike Margarete Margarethe Margit Margret Margrit
Marianne Marieke Marita Marius Marko Markus Marlies Marten Marthe Mathias Mathilde Matthias Maximilian Mechthild Meike Meinhard Meinolf
Melitta Merle Michaela Miriam Mirjam Monika Moritz Nadja Nele Nicole Niklas Nikolaus Nils Norbert Odilo Olaf Oliver Ortrud Oskar Ottmar
Ottilie Otto Pascal Patricia Paula Petra Philipp Pia Rainer Ralf Raimund Reiner Reinhard Reinhardt Reinhold Renate Rene Richard Rita
Robert Roland Rolf Roman Romy Ronja Rosemarie Rosi Rosina Roswitha Rudi Rüdiger Rudolf Ruprecht Sabine Sandra Sascha Sebastian
Siegbert Siegfried Sieglinde Siegmund Sigismund Sigrid Sigrun Silke Silvia Simone Sonja Sophia Stefan Stefanie Steffen Steffi Susanne
Svea Sven Svenja Sybille Tanja Thekla Theodor Theresa Thilo Thomas Thorben Thorsten Till Tilo Tim Timo Tobias Torben Torsten Traute
Traudl Traugott Udo Ulf Uli Ulrich Ulrike Urs Ursula Ute Uwe Valentin Valeska Veit Vera Verena Veronika Viktor Viktoria Volker Volkmar
Waltraud Walburga Waldemar Walther Wendelin Werner Wiebke Wieland Wilfried Wilhelm Wilhelmine Willi Willibald Winfried Wolf Wolfgang
Wolfram Wulf Xaver Yannick Yvonne Zacharias Zenzi Beat Reto Ueli Urs Regula Vreni Gion Flurin Jürg Ruedi Heidi Tschille
Adèle Adrien Agathe Agnès Alain Alban Alexandre Alexia Alexis Aline Alix Alphonse Amandine Amaury Ambroise Amélie Anaïs Anatole Andrée
André Ange Angélique Annick Anselme Anthony Antoine Apolline Ariane Aristide Armand Armelle Arnaud Arsène Astrid Aubin Aude Audrey
Augustin Aurélie Aurélien Aurore Axelle Aymeric Baptiste Bastien Béatrice Bénédicte Benoît Bérénice Bérengère Bernadette Bertrand
Blaise Blandine Boris Brice Brigitte Camille Capucine Carine Caroline Catherine Cécile Céleste Célestin Céline Cédric Chantal Chloé
Christelle Christophe Clarisse Claudine Clémence Clément Clémentine Clotilde Colette Coline Constant Coralie Corentin Corinne Cyprien
Cyrille Damien Danièle Danielle Delphine Denis Denise Désiré Diane Didier Dimitri Dominique Dorian Edgar Édith Edmond Édouard Éléonore
Éliane Élie Élisabeth Élise Élodie Éloi Éloïse Elsa Émeline Émile Émilie Émilien Emmanuelle Enzo Éric Erwan Estelle Esther Étienne Eugénie
Évelyne Fabien Fabienne Fabrice Fanny Faustine Félicie Félicien Ferdinand Fernand Firmin Flavie Flavien Fleur Florent Florentin Florence
Florian Francine Franck François Françoise Frédéric Frédérique Gabin Gaël Gaëlle Gaëtan Gaspard Gaston Gauthier Geneviève Geoffroy
Georges Georgette Gérald Géraldine Gérard Germain Ghislain Ghislaine Gilberte Gilles Ginette Gisèle Godefroy Grégoire Grégory Guillaume
Gustave Guy Gwenaëlle Hadrien Hector Hélène Henri Henriette Hervé Hippolyte Honoré Honorine Horace Hortense Hubert Hugo Hugues Huguette
Inès Irène Isabelle Isidore Ismaël Jacqueline Jacques Jean Jeanne Jeannine Jérémie Jérémy Jérôme Joachim Joëlle Joël Jocelyne Jonathan
Josée Joseph Joséphine Josette Josiane Joris Judith Jules Julie Julien Juliette Justine Karine Kévin Laetitia Lambert Laure Laurence
Laurent Lazare Léa Léandre Léo Léon Léonard Léonie Léopold Liliane Lilou Lionel Loïc Lorraine Louane Louis Louise Luc Lucas Lucette
Lucie Lucien Lucienne Ludivine Ludovic Lydie Madeleine Mael Maël Maëlle Maëlys Magali Manon Marc Marceau Marcel Marceline Marcelle Margaux
Marguerite Marianne Marie Marielle Marin Marine Marion Marius Marthe Martial Martine Maryse Maryline Mathéo Mathias Mathieu Mathilde
Mathis Mathurin Matthieu Maud Maurice Maxence Maxime Mélanie Mélina Mélissa Michel Michèle Micheline Mickaël Mireille Modeste Monique
Morgane Muriel Myriam Nadège Nadine Nathalie Nathan Nicolas Noé Noël Noémie Océane Octave Odette Odile Olivier Olympe Ophélie Pascale
Pascaline Patrice Paulette Pauline Perrine Philibert Philippe Pierre Pierrette Prosper Quentin Rachel Raoul Raphaël Raphaëlle Raymonde
Régine Régis Rémi Rémy Renaud René Renée Robin Rodolphe Rodrigue Roger Romain Romane Roméo Rosalie Roselyne Sabine Sacha Salomé Samuel
Sandrine Sarah Sébastien Ségolène Serge Séverin Séverine Sidonie Simone Solange Solène Soline Sophie Stanislas Stéphane Stéphanie
Suzanne Sylvain Sylvaine Sylvestre Sylvette Sylviane Sylvie Tanguy Thaïs Théa Théo Théodore Théophile Thérèse Thibault Thibaut Thierry
Timothée Tiphaine Toussaint Tristan Ulysse Urbain Valentine Valérie Valéry Vianney Victoire Vincent Virginie Vivien Viviane Xavier Yann
Yannick Yoann Yohan Yolande Yves Yvette Yvon Zacharie Zélie Zoé
Abelardo Abril Adolfo Adrián Adriana Agapito Agustín Agustina Aitana Aitor Alba Alberto Aldo Alejandra Alejandro Alejo Alfonso Alfredo Alicia
Alonso Álvaro Amado Amalia Amancio Amaia Amparo Ana Anabel Andrés Ángel Ángela Ángeles Aníbal Antonio Antonia Ánxo Araceli Aránzazu Ariadna
Armando Arturo Asunción Aurelio Aurora Azucena Baltasar Bárbara Bartolomé Basilio Beatriz Begoña Belén Benito Bernabé Bernarda Bernardo
Berta Blanca Blas Bonifacio Borja Brígida Camila Camilo Candela Candelaria Caridad Carla Carlos Carlota Carmelo Carmen Carolina Catalina
Cayetano Cecilia Celestino César Chus Cipriano Ciro Clara Claudio Clemente Concepción Consuelo Cristian Cristina Cristóbal Cruz Cuauhtémoc
Dámaso Daniela Darío Débora Delfina Delia Demetrio Diego Dolores Domingo Edgardo Edelmira Eduarda Eduardo Efraín Eladio Elena Eleuterio
Elías Elisa Eloy Elvira Emiliana Emiliano Emilio Encarnación Enrique Enriqueta Erasmo Ernesto Esperanza Esteban Estefanía Estela Ester
Estrella Eufemia Eugenio Eulalia Eusebio Eva Evaristo Ezequiel Fabián Fabiola Facundo Fátima Faustino Federico Feliciano Felipa Felipe Félix
Fermín Fernanda Fernando Fidel Flavia Flor Florencia Florencio Florentino Francisca Francisco Froilán Fulgencio Gabriela Gael Gaspar Gema
Genaro Gerardo Germán Gilberto Ginés Giselle Gonzalo Gorka Graciela Gregorio Guadalupe Guillermina Guillermo Gumersindo Gustavo Héctor
Heriberto Herminia Hernán Hilario Hipólito Horacio Hortensia Hugo Humberto Iago Ignacia Ignacio Iker Ildefonso Imanol Inés Inmaculada
Íñigo Irene Irma Isaías Isabel Isidoro Isidro Ismael Itziar Iván Ivonne Izan Jacinta Jacinto Jacobo Jaime Javier Javiera Jerónimo Jesús
Jesusa Jimena Joaquín Joaquina Jorge Jordi Jorgelina José Josefa Josefina Josué Juan Juana Juanjo Julián Juliana Julieta Julio Justo Karina
Koldo Lara Laureano Lautaro Leandro Leire Leonardo Leonel Leonor Leopoldo Leticia Lidia Liliana Lisandro Lola Lope Lorena Lorenzo Lourdes
Lucero Lucía Luciana Luciano Lucrecia Luis Luisa Luján Luz Macarena Macario Magdalena Maite Malena Manolo Manuel Manuela Marcela Marcelino
Marcelo Marcos Margarita María Mariana Mariano Maribel Maricarmen Marina Mario Marisa Marisol Marta Martín Martina Mateo Matías Matilde
Maura Mauricio Mauro Maximino Máximo Mayra Melchor Mercedes Micaela Miguel Milagros Mireia Miren Míriam Modesta Moisés Mónica Montserrat
Narciso Natalia Natividad Nayeli Nazaret Nélida Nemesio Néstor Nicanor Nicolás Nieves Nora Norberto Norma Nuria Núria Obdulia Octavio
Ofelia Olalla Olegario Olga Omar Onofre Orlando Óscar Osvaldo Oswaldo Pablo Paco Paloma Pancracio Pascual Pastora Patricio Paula Paulina
Paulino Paz Pedro Pelayo Pepe Pepa Petrona Piedad Pilar Plácido Policarpo Prudencio Purificación Quique Quintín Rafael Rafaela Raimundo
Ramiro Ramón Ramona Raquel Raúl Rebeca Regina Reinaldo Remedios Renata Ricardo Rigoberto Rita Roberto Rocío Rodolfo Rodrigo Rogelio
Román Romina Roque Rosa Rosalía Rosana Rosario Rosaura Rubén Ruperto Sabina Salomé Salvador Samanta Samuel Sancho Santiago Santos Sara
Saturnino Saúl Segundo Selene Serafín Sergio Severino Silverio Silvestre Silvia Silvina Simón Sofía Sol Soledad Sonia Soraya Susana
Tadeo Tamara Tatiana Telmo Teodoro Teófilo Teresa Timoteo Tirso Tomás Toribio Toñi Trinidad Txema Ulises Unai Urbano Uriel Uxía Valentín
Valentina Valeria Valeriano Vanesa Venancio Verónica Vicenta Vicente Víctor Victoria Victoriano Vidal Violeta Virginia Virtudes Viviana
Wenceslao Wilfredo Ximena Xabier Xavi Xiomara Xoán Yago Yahaira Yajaira Yamila Yesenia Yolanda Zacarías Zaida Zoraida Zulema Arnau Biel
Carles Ferran Gemma Guillem Jaume Joan Jordi Josep Laia Lluís Marc Meritxell Miquel Mireia Montse Neus Oriol Pau Pere Pol Queralt Roger Xavier
Abílio Adalberto Adelino Adelaide Ademar Adilson Afonso Aguinaldo Ailton Alcides Alda Alessandra Aline Almir Altair Amanda Amaro Américo
Anabela Anderson André Andréia Ângela Ângelo Aníbal Antônia António Antônio Aparecida Aparecido Arlindo Armindo Artur Augusto Bárbara Beatriz
Benedita Benedito Benjamim Bento Bernardo Berenice Bianca Breno Bruna Bruno Caetano Caio Camila Carina Carlos Carolina Cássio Catarina Cauã
Célia Celso César Cícero Cíntia Clarice Cláudia Cláudio Clélia Cleber Cléber Conceição Cristiana Cristiane Cristiano Dalila Damião Daniela
Danilo Davi Débora Deise Delfim Denilson Denise Dinis Diogo Dirce Domingos Duarte Dulce Edilson Edivaldo Edmilson Edna Edson Eduarda Elaine
Eliana Eliane Eliete Eliseu Elizabete Elza Emanuel Ermelinda Estêvão Eunice Eurico Fábio Fabiana Fabiano Fabrício Fátima Feliciana Felipe
Fernanda Fernão Filipa Filipe Firmino Flávia Flávio Francisca Francisco Frederico Gabriela Geovana Geraldo Gilberto Gilson Giovana Gisele
Glória Gonçalo Graça Guilherme Gustavo Heitor Hélder Helena Hélio Heloísa Henrique Hermínia Higor Horácio Iara Igor Ilda Inácio Inês Ingrid
Iolanda Iracema Iraci Isabela Isadora Isaura Ítalo Ivete Ivo Ivone Izabel Jair Jaqueline Janaína Jandira João Joana Joaquim Joelma Jonas
Jorge José Josiane Josué Jovita Juliana Juliano Júlia Júlio Jurandir Jussara Kaique Karla Kátia Kauã Laerte Laís Lara Larissa Laura Leandro
Leila Leonardo Leonor Letícia Lia Lídia Lígia Lineu Lívia Lorena Lourenço Lourival Luan Luana Lucas Luciana Luciano Lucília Luísa Luís Luiz
Luiza Lurdes Mafalda Magali Maiara Maicon Manuel Manoel Manuela Mara Marcela Marcelo Márcia Márcio Marco Marcos Margarida Maria Mariana Marília
Marina Mário Marisa Marlene Marli Marlon Marta Martim Mateus Matheus Maurício Mauro Maximiano Mayara Micaela Miguel Milena Milton Mirela Moacir
Moisés Mônica Murilo Nádia Nair Natália Neide Nélson Neusa Neuza Newton Nícolas Nilson Nilton Noémia Norberto Nuno Octávio Odair Odete Olavo
Olívia Orlanda Osmar Osvaldo Otávio Palmira Paola Patrícia Paula Paulo Pedro Plínio Priscila Quitéria Rafael Rafaela Raimunda Raissa Ramiro
Raquel Raul Rayane Regiane Regina Reinaldo Renan Renata Renato Ricardo Rita Roberta Robson Rodrigo Rogério Romeu Romualdo Ronaldo Rosana
Rosângela Roseli Rosilda Rúben Rubens Rui Ruy Sabrina Salete Samanta Samara Sandro Sebastião Selma Sérgio Severina Severino Sidnei Sílvia Sílvio
Simão Simone Sofia Solange Sônia Sónia Soraia Stefany Suelen Suely Suzana Tadeu Tainá Taís Talita Tânia Tarcísio Tatiana Tatiane Telma Teodora
Teresa Teresinha Thaís Thales Thiago Tiago Tomás Tomé Ubirajara Urbano Valdemar Valdir Valéria Valter Vanda Vanderlei Vanessa Vânia Vasco Vera
Vicente Vilma Vinícius Virgínia Vítor Viviane Wagner Wanderley Washington Wellington Weslley Wilson Yago Yara Yasmim Zacarias Zélia Zilda Zuleica
Abramo Achille Ada Addolorata Adelmo Adriano Agata Agnese Agostino Alberico Alberta Alberto Aldo Alessandra Alessandro Alessia Alessio Alfonsina
Alfredo Alida Allegra Amalia Amato Ambra Ambrogio Amedeo Amelia Amerigo Andrea Angela Angelica Angelo Annalisa Annamaria Annunziata Anselmo
Antonella Antonello Antonia Antonietta Antonino Antonio Arianna Armando Arnaldo Arturo Asia Assunta Attilio Augusto Aurelio Aurora Azzurra
Baldassarre Barbara Bartolomeo Beatrice Benedetta Benedetto Beniamino Bernardo Beppe Bettina Bianca Biagio Brando Bruna Bruno Calogero Camilla
Camillo Carla Carlo Carlotta Carmela Carmelo Carmine Carolina Caterina Cecilia Celestino Cesare Chiara Cinzia Ciro Clara Claudia Claudio Clelia
Concetta Corrado Cosimo Costantino Costanza Crescenzo Cristiano Cristina Damiano Daniela Daniele Dante Dario Davide Debora Delia Demetrio Diego
Diletta Dino Domenica Domenico Donatella Donato Edda Edoardo Egidio Elena Eleonora Elia Eliana Elio Elisa Elisabetta Elsa Emanuela Emanuele
Emilia Emiliano Emilio Enea Ennio Enrica Enrico Enza Enzo Ermanno Ermes Ernesto Ettore Eugenia Eugenio Eva Ezio Fabia Fabiana Fabio Fabrizia
Fabrizio Fausto Federica Federico Felice Ferdinando Ferruccio Fiamma Filippo Filomena Fiorella Fiorenza Flaminia Flavia Flavio Fortunato Franca
Francesca Francesco Franco Fulvia Fulvio Furio Gabriele Gabriella Gaetano Gaia Galileo Gaspare Gennaro Gerardo Germano Giacinto Giacoma Giacomo
Giada Giampaolo Giampiero Gian Giancarlo Gianfranco Gianluca Gianluigi Gianmarco Gianna Gianni Gigi Gilberto Gina Gino Gioacchino Giorgia Giorgio
Giosuè Giovanna Giovanni Giulia Giuliana Giuliano Giulio Giuseppe Giuseppina Giusy Gloria Goffredo Graziano Graziella Greta Guglielmo Guido
Ida Ignazio Ilaria Ileana Ilenia Immacolata Ines Iole Ippolito Irene Iris Irma Isabella Isacco Italo Ivana Ivano Ivo Jacopo Katia Ladislao
Lara Laura Lavinia Lea Leandro Leo Leonardo Leone Leonardo Letizia Lia Libero Licia Lidia Liliana Lina Lino Linda Livia Livio Loredana Lorenza
Lorenzo Loris Luca Lucia Luciana Luciano Lucio Lucrezia Ludovica Ludovico Luigi Luigia Luigina Luisa Maddalena Manlio Manuela Mara Marcella
Marcello Marco Margherita Maria Mariano Marianna Mariangela Marilena Marina Mario Marisa Marta Martina Martino Marzia Massimiliano Massimo
Matilde Matteo Mattia Maura Maurizio Mauro Melania Melissa Mercurio Michela Michele Michelangelo Milena Milo Mirella Mirko Moira Monica Morena
Moreno Nadia Napoleone Natale Natalia Nazario Nello Nerina Nicla Nico Nicola Nicolò Niccolò Nicoletta Noemi Norma Nunzia Nunzio Olga Oliviero
Omero Onofrio Orazio Oreste Orietta Orlando Ornella Orsola Oscar Osvaldo Ottavia Ottavio Palmiro Paola Paolo Paride Pasquale Patrizia Patrizio
Piera Piergiorgio Pierluigi Piero Pierpaolo Pietro Pino Pio Primo Quintino Quirino Raffaele Raffaella Raimondo Rebecca Remo Renata Renato Renzo
Riccardo Rina Rino Rita Roberta Roberto Rocco Rodolfo Romano Romeo Romina Romolo Rosa Rosalba Rosalia Rosanna Rosaria Rosario Rosetta Rossana
Rossella Ruggero Sabina Sabrina Salvatore Samuele Sandra Sandro Santina Santo Sara Saverio Savino Sebastiano Selvaggia Serafino Serena Sergio
Sesto Severino Silvana Silvano Silvestro Silvia Silvio Simona Simone Simonetta Sofia Sonia Stefania Stefano Stella Susanna Sveva Tancredi Tania
Tatiana Tea Telemaco Teo Teodoro Teresa Terenzio Tiberio Tina Tito Tiziana Tiziano Tommaso Tonino Tosca Tullio Ubaldo Ugo Ulisse Umberto Urbano
Valentina Valentino Valeria Valerio Vanda Vanessa Vasco Venanzio Vera Veronica Vincenza Vincenzo Viola Virgilio Virginia Vito Vittoria Vittorio
Viviana Walter Zaccaria Zita Zoe
Aafke Aart Abel Adriaan Adriana Aleida Alida Alwin Andries Anke Anneke Annelies Annemiek Anouk Antje Antoon Arend Arie Arjan Arjen Arnoud Aron
Bas Bart Bastiaan Beatrijs Bernadet Bert Berend Betje Boudewijn Bram Cas Carlijn Carolien Casper Cees Christiaan Claartje Clasina Coen Coenraad
Cor Cornelis Daan Daniëlle Dennis Dewi Dieuwke Dirk Dirkje Eefje Eelco Egbert Elke Ellen Els Emiel Emmy Esmée Evert Femke Fenna Ferdi Fien Fleur
Floor Floris Floortje Foppe Frans Frederik Freek Frits Geert Geertje Geertruida Gerben Gerrit Gerda Gijs Gijsbert Greetje Guus Hanneke Harm Harmen
Heleen Hendrik Hendrika Hendrikje Henk Herman Hettie Hidde Hilde Huub Huib Ilse Ineke Inge Ingrid Irma Isa Ivo Jaap Jacoba Jacobus Jacomijn Jan
Janneke Jannes Jannie Jantje Jasmijn Jaspers Jelle Jelmer Jeroen Jesper Jet Jette Jip Job Jochem Johan Johanna Johannes Jolanda Jolien Joost Jop
Jorik Jorrit Joris Josephine Jouke Jozef Juul Karel Karin Kees Kim Klaas Klaartje Koen Koenraad Kris Laurens Leen Leendert Lenie Liesbeth Lieke
Lieselot Lieve Linde Lisanne Lodewijk Loes Lotte Luca Luuk Luc Maaike Maarten Maartje Machiel Maikel Marcel Margriet Marieke Marijke Marije
Marijn Marit Marjan Marjolein Mark Martijn Mathijs Matthijs Maud Maurits Mees Meike Menno Merel Mieke Miep Mirjam Myrthe Nanda Nathalie Neeltje
Niek Niels Nienke Noor Noortje Olaf Olivier Otto Paulien Peter Petronella Philip Pien Piet Pieter Pim Quinten Quirijn Reinier Reinoud Remco
Renske René Rik Rianne Richard Rien Riet Rinus Rob Robbert Robin Roderick Roel Roeland Roelof Rogier Roos Rosalie Ruben Rutger Ruud Saar Sander
Sanne Saskia Sebastiaan Sem Siebe Siemen Sietske Sjaak Sjoerd Sjors Sofie Stan Steven Stefan Stijn Suze Suzanne Swen Sytske Tess Teun Teunis
Theodoor Theun Thijs Thijmen Tijn Tijmen Tim Tineke Tjeerd Tom Toon Tobias Trijntje Truus Ties Vera Victor Vincent Wendy Wesley Wessel Wiebe Wilhelmina
Willem Willemijn Willemien Wim Wouter Wout Xander Yara Yvonne Zeger Zoë
Aage Agnar Agneta Albin Alf Alfhild Allan Alva Amund Anders Anette Anja Ann Anne Annelie Annika Anton Ari Arild Arne Arnfinn Arvid Asbjørn Åse
Åsa Åke Asger Aslak Asta Astrid Atle Aud August Axel Barbro Bengt Benny Berit Bertil Birger Birgitta Birgit Birthe Bjarne Bjarke Bjarni Björn
Bjørn Bo Bodil Börje Børge Brit Britt Britta Brynjar Camilla Carina Carl Casper Cecilie Charlotta Christer Christian Christina Claes Clas Dag
Dagny Ditte Dorte Dorthe Ebba Ebbe Edda Edvard Edvin Egil Einar Eirik Eivind Elin Elina Elis Ella Ellinor Else Elvira Embla Emil Emilie Emma
Erik Erika Erlend Erling Ernst Eskil Espen Eva Even Evy Eyvind Fanny Filip Finn Folke Fredrik Fredrika Freja Frida Fritjof Frode Geir Georg Gerd
Gisela Gisle Gitte Gjertrud Göran Gösta Gøran Greger Grete Grethe Gro Gudmund Gudrun Gunhild Gunilla Gunn Gunnar Gunnhild Gunvor Gustaf Gustav
Guttorm Haakon Håkan Håkon Halfdan Halvard Halvor Hanna Hanne Hans Harald Hasse Hedda Hedvig Heidi Helena Helga Helge Helle Hellen Henning
Henny Henrik Herdis Hilda Hilde Hilding Hilmar Hjalmar Hjördis Holger Idar Ida Inga Ingeborg Ingegerd Inger Ingemar Inghild Ingmar Ingrid Ingvar
Ingvild Iselin Ivar Iver Jacob Jakob Jan Jannicke Jannik Janne Jarle Jens Jeppe Jenny Jesper Joakim Johan Johanna Johannes Johnny Jon Jonas Jonna
Jonny Jöran Jörgen Jørgen Jørn Josefin Josefine Jostein Julie Kaare Kåre Kai Kaj Kaja Kajsa Kalle Kari Karianne Karin Karl Karoline Karsten Kasper
Katarina Katrine Kerstin Ketil Kim Kirsten Kjartan Kjell Kjersti Kjetil Klara Klas Knud Knut Kristen Kristian Kristin Kristina Kristine Kristoffer
Kurt Lage Lars Lasse Laila Laurits Leif Leif-Erik Lena Lene Lennart Liam Lill Linn Linnea Linnéa Line Lisbeth Lisbet Liv Lise Lone Lotta Lova
Lovisa Lykke Mads Magne Magnhild Magnus Maj Maja Malin Malte Maren Margareta Margrete Margrethe Mari Maria Marie Marianne Marit Marius Markus Mats
Mathias Mathilde Matilda Merete Mette Mikael Mikkel Mina Moa Mogens Mona Monica Monika Morten Nanna Niels Niklas Nils Njål Nora Oda Odd Oddbjørn
Oddvar Olaf Olav Ole Olof Ola Oliver Olle Oscar Oskar Otto Øivind Ørjan Østen Øystein Øyvind Palle Pål Paul Pelle Per Pernilla Pernille Peter
Petter Pia Poul Preben Ragna Ragnar Ragnhild Ragnvald Randi Rasmus Rikard Rikke Roald Roar Robin Rolf Ronja Ronny Roy Rune Runa Saga Sander Sanna
Selma Sigbjørn Signe Sigrid Sigrun Sigurd Sigve Silje Simen Sindre Siri Siv Sivert Sixten Snorre Sofia Sofie Solfrid Solveig Sondre Søren Stefan
Steffen Stein Steinar Sten Stian Stig Stine Sture Sune Susanne Svante Svea Svein Sven Svend Sverre Synne Synnøve Tage Tanja Terese Terje Thea
Thomas Thor Thorbjørn Thore Thorvald Tilda Tilde Tina Tine Tobias Tom Tomas Tommy Tone Tor Torben Torbjörn Torbjørn Tord Tore Torfinn Torgeir
Toril Torill Torkel Torkild Tormod Torsten Torunn Torvald Tove Trine Troels Trond Truls Trygve Tuva Tyra Ulf Ulla Ulrik Ulrika Unni Urban Ursula
Valborg Vegard Veronica Vibeke Vidar Viggo Viktor Vigdis Vilde Vilhelm Vilma Villads Wenche Wilhelm Yngve Yrsa Ylva Gísli Guðmundur Guðrún Hildur
Jóhann Jón Katrín Ólafur Sigríður Sigurður Steinunn Þór Þórunn Kristján Einar Halldór Helga Margrét
Aada Aapo Aarne Aaro Aatos Aatu Ahti Aila Aili Aimo Aino Airi Akseli Aki Aku Alina Alli Aleksi Anja Anne Anneli Anni Annukka Anssi Antero Antti
Anu Ari Armi Arto Arttu Artturi Arvo Asko Atte Auli Aulikki Aune Eemeli Eerik Eero Eeva Eevi Eija Eila Eino Elina Elli Elsi Emilia Emmi Enni Ensio
Erkki Erja Esa Esko Essi Eveliina Hannele Hannu Harri Heikki Heidi Heini Helena Heli Helinä Helmi Henna Henri Hilkka Hillevi Ilkka Ilmari Ilona Ilpo
Inka Inkeri Irja Irma Irmeli Isto Jaakko Jaana Jalmari Jani Janika Janne Jari Jarkko Jarmo Jenna Jenni Jere Joel Johanna Joni Jonna Joonas Jorma
Jouko Jouni Juha Juhani Juho Jukka Julius Jussi Jyri Jyrki Kaarina Kaarlo Kai Kaija Kaisa Kalervo Kalevi Kalle Kari Katariina Kati Katja Kauko
Keijo Kerttu Kimmo Kirsi Kirsti Klaus Kosti Kristiina Kyllikki Kyösti Laila Lasse Lassi Laura Lauri Leea Leena Leevi Lempi Leo Liisa Lotta Maaria
Maarit Maija Maire Manu Margit Marika Mari Marianna Marja Marjatta Marjo Markku Marko Markus Martta Matias Matleena Matti Mauri Mervi Miia Mika
Mikael Mikko Milla Minna Mira Mirja Mirka Mirva Miska Moona Neea Nelli Niilo Niina Niko Noora Olavi Olli Onni Orvokki Oskari Osmo Ossi Otso Outi
Paavo Päivi Päivikki Panu Pasi Paula Pauli Pauliina Pekka Pentti Perttu Pertti Petra Petri Petteri Piia Pirjo Pirkko Raija Raili Raimo Raine Reetta
Reijo Reima Reino Riikka Riina Risto Ritva Roope Saara Saija Sakari Saku Salla Sami Samuli Sanna Sanni Santeri Santtu Sari Satu Seija Seppo Silja
Simo Sini Sinikka Sirkka Sirpa Soila Sonja Suvi Taavi Taina Taneli Tanja Tapani Tapio Tarja Tarmo Tauno Teemu Teija Teppo Terhi Tero Tiia Tiina Timo
Toini Toivo Tommi Topi Tuomas Tuomo Tuija Tuula Tuulikki Tytti Urho Urpo Usko Vaino Väinö Valtteri Veera Veikko Veijo Venla Vesa Vieno Viljami Viljo
Ville Visa Vuokko Yrjö
`
