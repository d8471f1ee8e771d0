/// A name that nobody has: three open syllables and a final consonant, spelt in the letters of any of our scripts.
///
/// Made of sounds rather than words so that the same name can stand in a title in every language, and so that no title can be that of a
/// real film.
struct InventedName: Sendable, Hashable {
    /// Consonant and vowel of each syllable, as places in the alphabet's rows.
    private let syllables: [(consonant: Int, vowel: Int)]
    private let ending: Int

    init(_ random: inout StableRandom) {
        syllables = (0..<3).map { _ in (random.below(Self.consonants), random.below(5)) }
        ending = random.below(4)
    }

    static func == (left: InventedName, right: InventedName) -> Bool { left.spelt(in: .latin) == right.spelt(in: .latin) }

    func hash(into hasher: inout Hasher) { hasher.combine(spelt(in: .latin)) }

    func spelt(in alphabet: Alphabet) -> String {
        let syllables = syllables.map { alphabet.syllables[$0.consonant][$0.vowel] }.joined()
        let name = syllables + alphabet.endings[ending]
        return alphabet.hasCapitals ? name.prefix(1).uppercased() + name.dropFirst() : name
    }

    private static let consonants = 14
}

/// The letters of a script, as far as invented names need them: 14 consonants (v m t z b d f g k l n p r s) times the vowels a e i o u,
/// and the endings n r l s.
struct Alphabet: Sendable {
    let syllables: [[String]]
    let endings: [String]
    var hasCapitals = false

    private init(consonants: String, vowels: [String], endings: String, hasCapitals: Bool = false) {
        syllables = consonants.split(separator: " ").map { consonant in vowels.map { consonant + $0 } }
        self.endings = endings.split(separator: " ").map(String.init)
        self.hasCapitals = hasCapitals
    }

    /// For scripts whose syllables are signs of their own.
    private init(rows: String, endings: String) {
        syllables = rows.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        self.endings = endings.split(separator: " ").map(String.init)
    }

    static let latin = Alphabet(
        consonants: "v m t z b d f g k l n p r s", vowels: ["a", "e", "i", "o", "u"], endings: "n r l s", hasCapitals: true)
    static let cyrillic = Alphabet(
        consonants: "в м т з б д ф г к л н п р с", vowels: ["а", "е", "и", "о", "у"], endings: "н р л с", hasCapitals: true)
    static let greek = Alphabet(
        consonants: "β μ τ ζ μπ ντ φ γκ κ λ ν π ρ σ", vowels: ["α", "ε", "ι", "ο", "ου"], endings: "ν ρ λ ς", hasCapitals: true)
    static let arabic = Alphabet(consonants: "ف م ت ز ب د ف غ ك ل ن ب ر س", vowels: ["ا", "ي", "ي", "و", "و"], endings: "ن ر ل س")
    static let hebrew = Alphabet(consonants: "ו מ ט ז ב ד פ ג ק ל נ פ ר ס", vowels: ["א", "ה", "י", "ו", "ו"], endings: "ן ר ל ס")
    static let devanagari = Alphabet(consonants: "व म त ज़ ब द फ ग क ल न प र स", vowels: ["ा", "े", "ि", "ो", "ु"], endings: "न र ल स")
    static let katakana = Alphabet(
        rows: """
            ヴァ ヴェ ヴィ ヴォ ヴ
            マ メ ミ モ ム
            タ テ ティ ト トゥ
            ザ ゼ ジ ゾ ズ
            バ ベ ビ ボ ブ
            ダ デ ディ ド ドゥ
            ファ フェ フィ フォ フ
            ガ ゲ ギ ゴ グ
            カ ケ キ コ ク
            ラ レ リ ロ ル
            ナ ネ ニ ノ ヌ
            パ ペ ピ ポ プ
            ラ レ リ ロ ル
            サ セ シ ソ ス
            """, endings: "ン ール ル ス")
    static let hanzi = Alphabet(
        rows: """
            瓦 维 薇 沃 武
            玛 梅 米 莫 穆
            塔 特 缇 托 图
            扎 泽 兹 佐 祖
            芭 贝 碧 波 布
            达 德 迪 朵 杜
            法 菲 翡 佛 芙
            伽 格 吉 戈 古
            卡 柯 琪 科 库
            拉 蕾 莉 洛 露
            娜 涅 妮 诺 努
            帕 佩 琵 坡 普
            岚 雷 璃 罗 鲁
            莎 瑟 希 索 苏
            """, endings: "恩 尔 勒 斯")
    static let hangul = Alphabet(
        rows: """
            바 베 비 보 부
            마 메 미 모 무
            타 테 티 토 투
            자 제 지 조 주
            바 베 비 보 부
            다 데 디 도 두
            파 페 피 포 푸
            가 게 기 고 구
            카 케 키 코 쿠
            라 레 리 로 루
            나 네 니 노 누
            파 페 피 포 푸
            라 레 리 로 루
            사 세 시 소 수
            """, endings: "은 르 엘 스")
}
