/// The picture that browsers show in a tab: a poster with rounded corners. Without one they would ask for `/favicon.ico` in vain.
enum Icon {
    static let svg = Array(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="6" y="2" width="20" height="28" rx="3" fill="#b5341f"/>\
        <path d="M10 25h12M10 21h8" stroke="#fff" stroke-width="2" stroke-linecap="round"/><circle cx="16" cy="11" r="4" fill="#ffd9a0"/></svg>

        """.utf8)
}
