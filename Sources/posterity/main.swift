print("posterity")
