internal import Drawing

/// The colours of one poster.
struct Palette: Sendable {
    /// The sky, from above to the horizon.
    let top: Colour
    let middle: Colour
    let low: Colour
    /// Moon, windows, letters on dark ground.
    let light: Colour
    /// The one colour that stands out.
    let accent: Colour
    /// What is far away, and what is near.
    let far: Colour
    let near: Colour

    private init(_ top: UInt32, _ middle: UInt32, _ low: UInt32, _ light: UInt32, _ accent: UInt32, _ far: UInt32, _ near: UInt32) {
        self.top = Colour(top)
        self.middle = Colour(middle)
        self.low = Colour(low)
        self.light = Colour(light)
        self.accent = Colour(accent)
        self.far = Colour(far)
        self.near = Colour(near)
    }

    /// The `step`th of `count` layers between the horizon and the viewer.
    func layer(_ step: Int, of count: Int) -> Colour {
        let share = Double(step) / Double(max(1, count - 1))
        return far.mixed(with: low, share: 0.45 * (1 - share)).mixed(with: near, share: share)
    }

    static let all: [Palette] = [
        Palette(0x1B1B4B, 0x8A3A6A, 0xF29A5C, 0xFFE3A8, 0xE4572E, 0x6D3B62, 0x140F26),  // sunset
        Palette(0x0B2F3A, 0x1F6F78, 0xF0B36B, 0xFFF0CF, 0xEF7B45, 0x2D5D63, 0x081A20),  // teal and orange
        Palette(0x0A1A3F, 0x27508C, 0x8FB8DC, 0xF5F3E4, 0xF2C14E, 0x3F659A, 0x071026),  // blue hour
        Palette(0x10302A, 0x3F7A5D, 0xCFE0B0, 0xFBF6D9, 0xE9A23B, 0x4C7D66, 0x0A1B18),  // forest
        Palette(0x2A0710, 0x8D1B2D, 0xE8604C, 0xFFE6D0, 0xF7C948, 0x7A1F30, 0x140308),  // crimson
        Palette(0x6F9FC9, 0xEFB8B8, 0xFBE0C3, 0xFFFFFF, 0xE2725B, 0xA995C0, 0x3C3A5C),  // pastel
        Palette(0x5B4632, 0xB08D5C, 0xECD9AE, 0xFFF7E0, 0xA23E2A, 0x8A6D4A, 0x2A1D12),  // sepia
        Palette(0x12062E, 0x4B1D7A, 0xE0479E, 0xFFD1F0, 0x37E0E0, 0x45206E, 0x090318),  // neon
        Palette(0xB8621E, 0xE9A63C, 0xF7DD9F, 0xFFFAF0, 0x8B2412, 0xA75F2A, 0x2B1A12),  // ochre
        Palette(0x30506B, 0x8FB3C4, 0xE8F1F2, 0xFFFFFF, 0xD64545, 0x86A5B5, 0x14242F),  // arctic
        Palette(0x0F5257, 0x6BB5A4, 0xF4E9CD, 0xFFFDF5, 0xF26A4B, 0x4C938A, 0x0A2E31),  // mint and coral
        Palette(0x17181A, 0x5B5F66, 0xD5D3CC, 0xF7F5EF, 0xD8322A, 0x6A6D73, 0x0B0B0C),  // black and white and red
        Palette(0x161A3A, 0x2F3B7A, 0x7A86C9, 0xFFF3C4, 0xF5B700, 0x3A468A, 0x0A0C1F),  // indigo and gold
        Palette(0x3B1D3F, 0xA34D6F, 0xF6B7A0, 0xFFF0E5, 0xFFD166, 0x7B3F66, 0x1C0D20),  // rose
        Palette(0x04201F, 0x0D5C4F, 0x4FBF8B, 0xEAFBE7, 0xFFCF56, 0x12594F, 0x021110),  // emerald
        Palette(0x123C9C, 0x2F66D0, 0xF0EAD6, 0xFFFFFF, 0xE63329, 0x2A4F9F, 0x0B1026),  // cobalt
    ]
}
