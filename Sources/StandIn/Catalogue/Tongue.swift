/// One of the fourteen languages that the catalogue speaks: how it says “the garden of Velomar”.
struct Tongue: Sendable {
    /// Two letters, as in the part of a language tag before the hyphen.
    let code: String
    let alphabet: Alphabet
    /// Twenty things, the same in every language and in the same order.
    let things: [String]
    /// `#` stands for the thing and `@` for the name.
    let phrase: String

    private init(_ code: String, _ alphabet: Alphabet, _ phrase: String, _ things: String) {
        self.code = code
        self.alphabet = alphabet
        self.phrase = phrase
        self.things = things.split(separator: ",").map { String($0.drop { $0 == " " }) }
    }

    /// How many things there are.
    static let thingCount = 20

    /// The language of a tag such as `de-AT`; English for one that the catalogue does not speak.
    static func named(_ tag: String) -> Tongue {
        let code = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        return all.first { $0.code == code } ?? english
    }

    func title(thing: Int, name: InventedName) -> String {
        fill(phrase, thing: thing, name: name)
    }

    func fill(_ phrase: String, thing: Int, name: InventedName) -> String {
        var text = ""
        for character in phrase {
            switch character {
            case "#": text += things[thing]
            case "@": text += name.spelt(in: alphabet)
            default: text.append(character)
            }
        }
        return text
    }

    static let english = Tongue(
        "en", .latin, "The # of @",
        "Garden, River, Lantern, Island, Clock, Winter, Harbour, Mirror, Forest, Library, Storm, Letter, Bridge, Tower, Dream, Lighthouse, Song, Night, Train, Moon"
    )

    static let all: [Tongue] = [
        english,
        Tongue(
            "de", .latin, "# von @",
            "Der Garten, Der Fluss, Die Laterne, Die Insel, Die Uhr, Der Winter, Der Hafen, Der Spiegel, Der Wald, Die Bibliothek, Der Sturm, Der Brief, Die Brücke, Der Turm, Der Traum, Der Leuchtturm, Das Lied, Die Nacht, Der Zug, Der Mond"
        ),
        Tongue(
            "fr", .latin, "# de @",
            "Le Jardin, La Rivière, La Lanterne, L’Île, L’Horloge, L’Hiver, Le Port, Le Miroir, La Forêt, La Bibliothèque, La Tempête, La Lettre, Le Pont, La Tour, Le Rêve, Le Phare, La Chanson, La Nuit, Le Train, La Lune"
        ),
        Tongue(
            "es", .latin, "# de @",
            "El jardín, El río, La linterna, La isla, El reloj, El invierno, El puerto, El espejo, El bosque, La biblioteca, La tormenta, La carta, El puente, La torre, El sueño, El faro, La canción, La noche, El tren, La luna"
        ),
        Tongue(
            "it", .latin, "# di @",
            "Il giardino, Il fiume, La lanterna, L’isola, L’orologio, L’inverno, Il porto, Lo specchio, La foresta, La biblioteca, La tempesta, La lettera, Il ponte, La torre, Il sogno, Il faro, La canzone, La notte, Il treno, La luna"
        ),
        Tongue(
            "pt", .latin, "# de @",
            "O jardim, O rio, A lanterna, A ilha, O relógio, O inverno, O porto, O espelho, A floresta, A biblioteca, A tempestade, A carta, A ponte, A torre, O sonho, O farol, A canção, A noite, O trem, A lua"
        ),
        Tongue(
            "ru", .cyrillic, "# @",
            "Сад, Река, Фонарь, Остров, Часы, Зима, Гавань, Зеркало, Лес, Библиотека, Буря, Письмо, Мост, Башня, Сон, Маяк, Песня, Ночь, Поезд, Луна"
        ),
        Tongue(
            "el", .greek, "# της @",
            "Ο κήπος, Το ποτάμι, Το φανάρι, Το νησί, Το ρολόι, Ο χειμώνας, Το λιμάνι, Ο καθρέφτης, Το δάσος, Η βιβλιοθήκη, Η καταιγίδα, Το γράμμα, Η γέφυρα, Ο πύργος, Το όνειρο, Ο φάρος, Το τραγούδι, Η νύχτα, Το τρένο, Το φεγγάρι"
        ),
        Tongue(
            "ar", .arabic, "# @",
            "حديقة, نهر, فانوس, جزيرة, ساعة, شتاء, ميناء, مرآة, غابة, مكتبة, عاصفة, رسالة, جسر, برج, حلم, منارة, أغنية, ليلة, قطار, قمر"
        ),
        Tongue(
            "he", .hebrew, "# של @",
            "הגן, הנהר, הפנס, האי, השעון, החורף, הנמל, המראה, היער, הספרייה, הסערה, המכתב, הגשר, המגדל, החלום, המגדלור, השיר, הלילה, הרכבת, הירח"
        ),
        Tongue(
            "hi", .devanagari, "@ #",
            "का बाग़, की नदी, की लालटेन, का द्वीप, की घड़ी, की सर्दी, का बंदरगाह, का आईना, का जंगल, का पुस्तकालय, का तूफ़ान, की चिट्ठी, का पुल, की मीनार, का सपना, का प्रकाशस्तंभ, का गीत, की रात, की रेलगाड़ी, का चाँद"
        ),
        Tongue("ja", .katakana, "@の#", "庭, 川, 灯籠, 島, 時計, 冬, 港, 鏡, 森, 図書館, 嵐, 手紙, 橋, 塔, 夢, 灯台, 歌, 夜, 列車, 月"),
        Tongue("zh", .hanzi, "@的#", "花园, 河流, 灯笼, 岛屿, 时钟, 冬天, 港口, 镜子, 森林, 图书馆, 风暴, 书信, 桥, 高塔, 梦, 灯塔, 歌, 夜晚, 列车, 月亮"),
        Tongue("ko", .hangul, "@의 #", "정원, 강, 등불, 섬, 시계, 겨울, 항구, 거울, 숲, 도서관, 폭풍, 편지, 다리, 탑, 꿈, 등대, 노래, 밤, 기차, 달"),
    ]
}
